// Before anything is drawn: the theme that a person chose, so that nothing flashes. Not a module, which would come too late.

try {
  document.documentElement.dataset.theme = localStorage.getItem("troupe-theme") ?? "";
} catch {
  // private windows may refuse; the system's theme is used
}
