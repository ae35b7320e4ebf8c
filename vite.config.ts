/** How the pages are built: from src/web into dist/web, as files of their own that a strict content policy allows. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss()],
  resolve: { alias: { zod: `${import.meta.dirname}/src/web/zod-stand-in.ts` } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    /** A data address in the styles would be refused by the content policy. */
    assetsInlineLimit: 0,
  },
  /** `vite` alone serves the pages while they are worked on, beside a server that answers /api. */
  server: { proxy: { '/api': 'http://127.0.0.1:4242', '/login': 'http://127.0.0.1:4242' } },
})
