package port

// checks returns all checks: a new one is a file and a line here.
func checks() []check {
	return []check{
		newSource(),
		newFlags(),
		newGoAssembly(),
		newAssembly(),
		newBinaries(),
		newContainers(),
		newImages(),
		newPackages(),
		newRuntimes(),
	}
}
