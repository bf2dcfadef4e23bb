package stat

// Platform is declared for each platform and counts once.
const Platform = 1
