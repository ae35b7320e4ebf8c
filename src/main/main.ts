#!/usr/bin/env node
/** The `roundtable` command. It imports nothing before it knows the Node: an older one would die with a SyntaxError. */
export {}

/** The same as `engines` in package.json. */
const needed = [22, 12] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > needed[0] || (major === needed[0] && minor >= needed[1])) await import('./start.ts')
else {
  console.error(
    `roundtable: this needs Node ${needed.join('.')} or later, but runs on Node ${process.versions.node}. Get a newer one from https://nodejs.org.`,
  )
  process.exitCode = 1
}
