package main

const noKnownIssuesHelp = "explain differences by measurements only, without known issues of machines and settings"
