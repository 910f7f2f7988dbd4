/** `npm run dev`: pages and server with hot reload on http://localhost:3000 (PORT sets another port). */
import { spawn } from 'node:child_process'
import { ensurePackages, environment, node, root, runForeground } from './prepare.mjs'

const port = Number(process.env.PORT ?? 3000)
const serverPort = port + 1
ensurePackages()
const vite = spawn(node(), ['node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...environment(), SERVER_PORT: String(serverPort) },
})
process.on('exit', () => vite.kill())
runForeground(node(), ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
  env: {
    ...environment(),
    PORT: String(serverPort),
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
    // Vite is a proxy for it.
    TRUST_PROXY: process.env.TRUST_PROXY ?? '127.0.0.1,::1',
  },
})
