/**
 * Node reads the package.json of a package anew for each of its files, to see whether the file is a module. That of
 * drizzle-orm has 180 kB, and a command that opens the archive imports a hundred of its files: a quarter of its time. All
 * of them are modules, so nobody has to look. In the installed package they are one file, and this has nothing to do.
 */
import * as loader from 'node:module'

const slow = '/node_modules/drizzle-orm/'

/** Node 22.15 and later have it. */
loader.registerHooks?.({
  resolve: (specifier, context, next) =>
    /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.includes(slow)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
