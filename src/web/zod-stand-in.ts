/**
 * Replaces zod in the pages. Modules of the core create their schemas when they are loaded, but the pages use only the
 * types: the server checks every request. This makes the script of a page a quarter smaller.
 */
const refuse = (): never => {
  throw new Error('zod is not part of the pages: the server checks every request.')
}

const standIn: unknown = new Proxy(() => standIn, {
  get: (_, name) => (/parse/i.test(String(name)) ? refuse : standIn),
  apply: () => standIn,
})

export const z = standIn
