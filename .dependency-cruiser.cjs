/**
 * Import rules of docs/develop/architecture.md, as errors. `npm run lint` runs them; each rule's comment is what a
 * violator reads.
 */
const tests = '\\.test\\.tsx?$'
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two modules that need each other are one module, or a third is missing.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      comment: 'The import cannot be resolved.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'shared-imports-only-schema-library',
      severity: 'error',
      comment:
        'src/shared is what both sides agree on: it imports nothing but zod, hashing and types of texts.',
      from: { path: '^src/shared', pathNot: tests },
      to: { pathNot: '^src/shared|^virtual:|node_modules/(zod|@noble/hashes)/' },
    },
    {
      name: 'texts-import-only-their-library',
      severity: 'error',
      comment:
        'Texts are the same on both sides: they know languages, limits, names and the library that formats them.',
      from: { path: '^src/locales', pathNot: 'vite-plugin' },
      to: {
        pathNot: '^src/(locales|shared/(languages|limits|names))|node_modules/@lingui/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'browsers-parse-no-messages',
      severity: 'error',
      comment: 'The build compiles the texts of the pages, which then need no parser.',
      from: { path: '^src/web' },
      to: { path: '^src/locales' },
    },
    {
      name: 'browsers-load-no-schemas',
      severity: 'error',
      comment:
        'Pages take types from what holds schemas, and values from elsewhere: zod is as large as a screen, and tries an eval ' +
        'that the content security policy refuses. scripts/precompress.mjs looks for it in what is built.',
      from: { path: '^src/web', pathNot: tests },
      to: {
        path: '^src/shared/(contract/|entities|nights/(entities|facts))|node_modules/zod/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'simulator-imports-nothing-of-ours',
      severity: 'error',
      comment: 'The simulator must not share our mistakes.',
      from: { path: '^src/simulator', pathNot: tests },
      to: { path: '^(src/(?!simulator)|tests|bench)' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      comment: 'Tests import the product, never the other way.',
      from: { path: '^src', pathNot: tests },
      to: { path: `^(tests|bench)|${tests}` },
    },
    {
      name: 'server-does-not-import-web',
      severity: 'error',
      comment: 'Pages and server meet in src/shared.',
      from: { path: '^src/server' },
      to: { path: '^src/web' },
    },
    {
      name: 'web-does-not-import-server',
      severity: 'error',
      comment: 'Pages and server meet in src/shared.',
      from: { path: '^src/web' },
      to: { path: '^src/(server|simulator)' },
    },
    {
      name: 'released-steps-stand-alone',
      severity: 'error',
      comment: 'A migration step does tomorrow what it does today, so it imports nothing that changes.',
      from: { path: '^src/server/database/steps' },
      to: { pathNot: 'node_modules/kysely/|^src/server/database/database', dependencyTypesNot: ['core'] },
    },
    {
      name: 'data-knows-no-screen',
      severity: 'error',
      comment: 'Requests are made for what is shown, and do not know how it is shown.',
      from: { path: '^src/web/data', pathNot: tests },
      to: { path: '^src/web/(ui|layout|screens)' },
    },
    {
      name: 'library-is-pure',
      severity: 'error',
      comment:
        'Set logic knows no database, no platform and no names, only rules and types that pages share.',
      from: { path: '^src/server/library', pathNot: tests },
      to: {
        pathNot: '^src/server/library|^src/shared/(nights|entities|limits|names|playable)',
      },
    },
    {
      name: 'database-is-an-engine',
      severity: 'error',
      comment: 'Engines, schema and migrations know no table files and nothing above them.',
      from: { path: '^src/server/database', pathNot: tests },
      to: { path: '^src/server/(?!database|library)' },
    },
    {
      name: 'backup-stands-on-the-database',
      severity: 'error',
      comment: 'Copies of a whole database know engines, schema and migrations, and no table by name.',
      from: { path: '^src/server/backup', pathNot: tests },
      to: { path: '^src/server/(?!backup|database)' },
    },
    {
      name: 'storage-knows-only-the-database',
      severity: 'error',
      comment: 'Table files import the database, shared, texts and the packed library, nothing above them.',
      from: { path: '^src/server/storage', pathNot: tests },
      to: { path: '^src/server/(?!storage|database|library|texts)' },
    },
    {
      name: 'server-texts-are-a-leaf',
      severity: 'error',
      comment: 'The texts of the server know nothing of what shows them.',
      from: { path: '^src/server/texts', pathNot: tests },
      to: { path: '^src/server/(?!texts)' },
    },
    {
      name: 'cache-stands-on-storage',
      severity: 'error',
      comment: 'The read cache answers from storage; whom it answers is not its business.',
      from: { path: '^src/server/cache', pathNot: tests },
      to: { path: '^src/server/(?!cache|storage|database|library)' },
    },
    {
      name: 'steam-knows-no-product',
      severity: 'error',
      comment: 'The platform client knows nothing of database or features.',
      from: { path: '^src/server/steam', pathNot: tests },
      to: { path: '^src/server/(?!steam)' },
    },
    {
      name: 'catalogue-stands-on-storage-and-steam',
      severity: 'error',
      comment:
        'The catalogue knows storage, the tags of caches, times, the Steam port and where the platform keeps pictures.',
      from: { path: '^src/server/catalogue', pathNot: tests },
      to: {
        path: '^src/server/(?!catalogue|storage|database|cache/tag-cache|steam/(port|pictures)|library|errors|time)',
      },
    },
    {
      name: 'pictures-stand-on-storage',
      severity: 'error',
      comment: 'Pictures know storage, slots, errors and time, nothing of features or the platform.',
      from: { path: '^src/server/pictures', pathNot: tests },
      to: { path: '^src/server/(?!pictures|storage|database|slots|errors|time)' },
    },
    {
      name: 'sync-stands-below-features',
      severity: 'error',
      comment: 'Features call sync, not the other way.',
      from: { path: '^src/server/sync', pathNot: tests },
      to: { path: '^src/server/(features|http|sessions|endpoint-handler|app|main|config)' },
    },
    {
      name: 'live-stands-below-features',
      severity: 'error',
      comment:
        'Live changes know storage and the tags of caches; streams and access rules are handed to them.',
      from: { path: '^src/server/live', pathNot: tests },
      to: { path: '^src/server/(?!live|storage|database|cache/tag-cache|errors|time)' },
    },
    {
      name: 'messages-stand-on-storage',
      severity: 'error',
      comment:
        'Messages know storage, texts, the catalogue, loops, times and the checked way to the web, nothing of features.',
      from: { path: '^src/server/(messages|calendar)/', pathNot: tests },
      to: {
        path: '^src/server/(?!messages|texts|storage|database|catalogue|sync/(loop|log)|pictures/public-request|time)',
      },
    },
    {
      name: 'shared-pictures-know-no-data',
      severity: 'error',
      comment: 'The page and picture of a shared pick are made of what they are given.',
      from: { path: '^src/server/share/', pathNot: tests },
      to: { path: '^src/server/(?!share|texts|pictures/(encode|web-fetch)|errors|time)' },
    },
    {
      name: 'features-and-http-are-siblings',
      severity: 'error',
      comment:
        'Features say what a call does, http how it comes and goes; they meet in endpoint-handler.ts and app.ts.',
      from: { path: '^src/server/features', pathNot: tests },
      to: { path: '^src/server/http' },
    },
    {
      name: 'http-knows-no-feature',
      severity: 'error',
      comment: 'Handlers and access rules are handed to http by app.ts.',
      from: { path: '^src/server/http', pathNot: tests },
      to: { path: '^src/server/features' },
    },
    {
      name: 'sessions-know-no-request',
      severity: 'error',
      comment: 'Sessions stand below features and http, which both ask who is signed in.',
      from: { path: '^src/server/sessions', pathNot: tests },
      to: { path: '^src/server/(features|http|sync|catalogue|pictures|deps|endpoint-handler|app|main)' },
    },
    {
      name: 'only-the-wiring-sees-engines',
      severity: 'error',
      comment: 'Only main.ts and app.ts see concrete engines and hosts.',
      from: {
        path: '^src/server/(features|sync|catalogue|http|live|pictures|sessions|cache|storage)',
        pathNot: tests,
      },
      to: { path: '^src/server/(database/(open|sqlite|postgres)|steam/client|main|app)' },
    },
    {
      name: 'screens-do-not-import-screens',
      severity: 'error',
      comment: 'What two screens share belongs to ui, data or layout.',
      from: { path: '^src/web/screens/([^/]+)/' },
      to: { path: '^src/web/screens/', pathNot: '^src/web/screens/$1/' },
    },
    {
      name: 'ui-stands-alone',
      severity: 'error',
      comment: 'Pieces know no screen and no call.',
      from: { path: '^src/web/ui', pathNot: tests },
      to: { path: '^src/web/(screens|data|layout)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
