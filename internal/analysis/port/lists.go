package port

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// packageList is what a list of packages says.
type packageList struct {
	all   []pinned
	found []Finding // about the list itself, without their check and file
}

// reader reads a list.
type reader func([]byte) (packageList, error)

// pins is a reader of a list that has packages alone.
func pins(read func([]byte) ([]pinned, error)) reader {
	return func(data []byte) (packageList, error) {
		all, err := read(data)
		return packageList{all: all}, err
	}
}

// listReader returns the reader of a list by its file's name, nil if it is none.
func listReader(file string) reader {
	base := strings.ToLower(path.Base(file))
	ends := func(with ...string) bool {
		return slices.ContainsFunc(with, func(end string) bool { return strings.HasSuffix(base, end) })
	}
	is := func(names ...string) bool { return slices.Contains(names, base) }
	switch {
	case strings.HasPrefix(base, "requirements") && ends(".txt"), is("constraints.txt", "pip-freeze.txt"):
		return pins(requirements)
	case is("poetry.lock", "uv.lock"):
		return pins(pythonLock)
	case is("package-lock.json", "npm-shrinkwrap.json"):
		return pins(nodeLock)
	case ends(".cdx.json"), is("bom.json"):
		return pins(cycloneDX)
	case ends(".spdx.json"):
		return pins(spdx)
	case is("pom.xml"), ends(".pom"):
		return pins(mavenProject)
	case is("gradle.lockfile", "buildscript-gradle.lockfile"):
		return pins(gradleLock)
	case ends(".gradle", ".gradle.kts"):
		return pins(gradleBuild)
	case ends(".versions.toml"):
		return pins(gradleCatalogue)
	case ends(".csproj", ".fsproj", ".vbproj"), is("directory.packages.props", "directory.build.props"):
		return dotnetProject
	case is("packages.lock.json"):
		return dotnetLock
	case is("gemfile.lock", "gems.locked"):
		return gemLock
	case ends(".rockspec"), is("luarocks.lock"):
		return pins(rocks)
	}
	return nil
}

// maxText bounds a name, a version or a property of a list: longer ones are none.
const maxText = 256

// forX86 reports whether a variant of a package (a classifier of Maven, a platform of RubyGems, a runtime identifier of
// .NET) is for x86 on Linux, or on no system that it names.
func forX86(variant string) bool {
	v := strings.ToLower(variant)
	x86 := slices.ContainsFunc([]string{"x86", "amd64", "x64", "i386", "i686", "linux64", "linux32"},
		func(part string) bool { return strings.Contains(v, part) })
	return x86 && !forArm(v) && !slices.ContainsFunc([]string{"win", "mingw", "mswin", "osx", "mac", "darwin", "bsd"},
		func(part string) bool { return strings.Contains(v, part) })
}

// forArm reports whether a variant is for arm64 on Linux, or on no system that it names.
func forArm(variant string) bool {
	v := strings.ToLower(variant)
	has := func(part string) bool { return strings.Contains(v, part) }
	return (has("aarch") || has("arm64")) && !slices.ContainsFunc([]string{"win", "osx", "mac", "darwin"}, has)
}

// variants judges a package by the variants that a list takes of it: whether x86 has one and arm64 none.
func (packages) variants(called string, p pinned, found Finding, r *Report) bool {
	i := slices.IndexFunc(p.variants, forX86)
	if i < 0 || slices.ContainsFunc(p.variants, forArm) {
		return false
	}
	if slices.Contains(p.variants, fromSource) {
		found.Severity = WorthChecking
		found.Says = fmt.Sprintf("%s is built for %s, and for arm64 it is compiled from its source", called, p.variants[i])
		found.Remedy = "a variant for arm64 (bundle lock --add-platform aarch64-linux), or a compiler and its libraries " +
			"where it is installed"
	} else {
		found.Severity = WillNotRun
		found.Says = fmt.Sprintf("%s is taken for %s alone, and the list has none for arm64", called, p.variants[i])
		found.Remedy = p.remedy
	}
	r.add(found)
	return true
}

// fromSource is the variant of a package that is compiled where it is installed.
const fromSource = "source"
