/** How the pages are built: from src/web into dist/web, without inline code, which the content policy refuses. */

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { usualPort } from './src/main/serve.ts'

/** The same port as `serve` takes. The server refuses requests whose Host isn't the page's own, so it stays as it is. */
const server = { target: `http://127.0.0.1:${process.env.PORT || usualPort}`, changeOrigin: false }

/** The pages are written for React and run on Preact, which is a sixth of its size. The dev runtime is what tests build with. */
const reactByPreact = [
  { find: /^react$|^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
]

const root = `${import.meta.dirname}/src/web`

export default defineConfig({
  root,
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: [{ find: 'zod', replacement: `${import.meta.dirname}/src/web/zod-stand-in.ts` }, ...reactByPreact],
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    /** A data address in the styles would be refused by the content policy. */
    assetsInlineLimit: 0,
    rolldownOptions: {
      /** Schemas do nothing in the pages (zod-stand-in.ts), so those that no page reads are left out; loading a pure room does nothing. */
      treeshake: {
        manualPureFunctions: ['z'],
        moduleSideEffects: [{ test: /\/src\/(?:core|count|words|report|protocols)\//, sideEffects: false }],
      },
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
