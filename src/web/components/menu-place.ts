/** The element in which menus are drawn: on the page's main part, where a screen reader looks for what belongs to it. */
export const menuPlace = 'menus'
