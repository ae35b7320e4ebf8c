// Before the first paint, or a page in the theme that was not chosen would flash up.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
