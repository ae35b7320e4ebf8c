// Before the first paint, or a page in the theme that was not chosen would flash up. Browsers keep this file for a
// year: one with other content needs another name.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
