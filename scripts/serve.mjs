/** Runs the server, for services and containers that have everything installed; `npm start` installs and builds first. */
import './node-version.mjs'

await import('../src/server/main.ts')
