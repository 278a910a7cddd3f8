import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `npm run console` serves the sources with hot reload and hands everything else to a running server.
const server = process.env['QUIRE_URL'] ?? 'http://127.0.0.1:8080'
const paths = ['/api', '/login', '/logout', '/startup', '/icons', '/nxfile', '/nxbigfile', '/site', '/ui/pieces']

export default defineConfig({
  root: import.meta.dirname,
  // The server writes where it is mounted into the page; whatever the page names is below that.
  base: './',
  plugins: [react()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, proxy: Object.fromEntries(paths.map((path) => [path, { target: server, changeOrigin: false }])) },
})
