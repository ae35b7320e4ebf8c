/** The same text as in the contract of providers, which a program outside the tests can't import. */
export const contractText = '{"headline":"Größe zählt nicht, 🙂 Ordnung schon."}'
