import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** `npm run dev` starts the server beside Vite and says on which port. */
const server = `http://127.0.0.1:${process.env.SERVER_PORT ?? '3001'}`

/** A typeface that comes late must not move the text (LOOK-9): the page keeps the system's, and has it at the next visit. */
const optionalTypeface: Plugin = {
  name: 'optional-typeface',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('@fontsource') ? code.replaceAll('font-display: swap', 'font-display: optional') : undefined,
}

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss(), optionalTypeface],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The server reads there which files a screen needs.
    manifest: true,
    target: 'es2023',
    // The content security policy allows neither `data:` fonts nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Small pieces that many screens share come as one file: a dozen files cost a telephone more than they
          // weigh. Not with them: what brings a large library, which few screens need.
          groups: [
            {
              name: 'pieces',
              test: /src\/(web\/(ui|data)|shared)\/(?!nights|night-time|night-events|invites|copy|lazy-dialog|friend-picker|people|feature-badge|found-notes|virtual-grid|game-(?!art)|hid|query-string|remembered|segmented|toggle|choose-friend)|lucide-react(?!.*\/(armchair|cast|globe|swords|download|shield-check|chevron-right))/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/media', '/simulator'].map((path) => [path, { target: server, xfwd: true }]),
    ),
  },
})
