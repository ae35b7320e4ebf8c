/** How the pages are built: from src/web into dist/web, without inline code, which the content policy refuses. */

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { usualPort } from './src/main/serve.ts'

/** The same port as `serve` takes. The server refuses requests whose Host isn't the page's own, so it stays as it is. */
const server = { target: `http://127.0.0.1:${process.env.PORT || usualPort}`, changeOrigin: false }

/** The pages are written for React and run on Preact, which is a sixth of its size. The dev runtime is what tests build with. */
const reactByPreact = [
  { find: /^react$|^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
]

const made = new Set([
  'CallExpression',
  'NewExpression',
  'ObjectExpression',
  'ArrayExpression',
  'MemberExpression',
])

/** Loading a chapter of the pure rooms does nothing, so what no page reads of it is left out, and so are schemas that calls make. */
const pureRooms: Plugin = {
  name: 'pure-rooms',
  transform: {
    filter: { id: /\/src\/(?:core|count|words|protocols)\// },
    handler(code) {
      const values = this.parse(code)
        .body.map(part => (part.type === 'ExportNamedDeclaration' ? part.declaration : part))
        .flatMap(part => (part?.type === 'VariableDeclaration' ? part.declarations : []))
        .flatMap(({ init }) => (init && made.has(init.type) ? [init] : []))
      const marked = values.reduceRight((text, { start, end }) => {
        const value = text.slice(start, end)
        return value.includes('(')
          ? `${text.slice(0, start)}/* @__PURE__ */ (() => (${value}))()${text.slice(end)}`
          : text
      }, code)
      return { code: marked, map: null, moduleSideEffects: false }
    },
  },
}

const root = `${import.meta.dirname}/src/web`

export default defineConfig({
  root,
  plugins: [pureRooms, react(), tailwindcss()],
  resolve: {
    alias: [
      { find: 'zod', replacement: `${import.meta.dirname}/src/web/zod-stand-in.ts` },
      { find: 'entities', replacement: `${import.meta.dirname}/src/web/entities-stand-in.ts` },
      ...reactByPreact,
    ],
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    /** A data address in the styles would be refused by the content policy. */
    assetsInlineLimit: 0,
    rolldownOptions: {
      /** The plain sign-in pages load one script, by a name that they know. */
      input: { index: `${root}/index.html`, passkeys: `${root}/passkeys.ts` },
      output: {
        entryFileNames: ({ name }) => (name === 'passkeys' ? 'passkeys.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  /** `npm run dev:pages` serves the pages while you work on them; the server (`npm start`) answers the rest. */
  server: { proxy: { '^/(api/|login$)': server } },
})
