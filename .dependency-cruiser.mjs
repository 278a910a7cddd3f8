// The floors of the house (docs/architecture.md), from the ground up. A folder imports only from those before it.
// Whoever reads a setting declares it, so settings lie below them all.
const floors = ['base', 'settings', 'model', 'nxql', 'store', 'core', 'automation', 'rest', 'command', 'plugin', 'features']

const below = (floor) => floors.slice(0, floors.indexOf(floor))

const mayImport = {
  ...Object.fromEntries(floors.map((floor) => [floor, below(floor)])),
  http: [...below('rest'), 'rest'],
}

const aTest = String.raw`\.test\.ts$`

const floorRules = Object.entries(mayImport).map(([floor, allowed]) => ({
  name: `floor-${floor}`,
  comment: `src/${floor}/ imports ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')} and itself`,
  severity: 'error',
  from: { path: `^src/${floor}/`, pathNot: aTest },
  to: { path: '^(src|test|bench|examples|console)/', pathNot: `^src/(${[floor, ...allowed].join('|')})/` },
}))

// The same of the console, which knows the server by its addresses alone.
const consoleFloors = ['words', 'ui', 'api', 'features', 'app']

// Features hand plugins' components what src/console.ts describes, by which authors write them.
const consoleRules = consoleFloors.map((floor, index) => ({
  name: `console-${floor}`,
  comment: `console/src/${floor}/ imports what is below it, and nothing of the server`,
  severity: 'error',
  from: { path: `^console/src/${floor}/`, pathNot: aTest },
  to: {
    path: '^(src|test|bench|examples|console)/',
    pathNot: [
      `^console/src/(${consoleFloors.slice(0, index + 1).join('|')})/`,
      ...(floor === 'features' ? ['^src/console.ts$'] : []),
    ],
  },
}))

const apart = (folder, others) => ({
  name: `apart-${folder.replaceAll('/', '-')}`,
  comment: `src/${folder}/ knows nothing of ${others.join(', ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: aTest },
  to: { path: `^src/(${others.join('|')})/` },
})

const onlyIn = (folder, name, path) => ({
  name: `${name}-only-in-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: [`^src/${folder}/`, aTest] },
  to: { path },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floorRules,
    ...consoleRules,
    apart('store/sql', ['store/sqlite', 'store/postgres']),
    apart('store/sqlite', ['store/postgres']),
    apart('store/postgres', ['store/sqlite']),
    apart('store/blobs/filesystem', ['store/blobs/s3']),
    apart('store/blobs/s3', ['store/blobs/filesystem']),
    onlyIn('store/postgres', 'pg', 'node_modules/(@types/)?pg/'),
    onlyIn('store/sqlite', 'sqlite', '^(node:)?sqlite$'),
    onlyIn('server', 'opentelemetry', 'node_modules/@opentelemetry/'),
    onlyIn('store/blobs/s3', 'aws', 'node_modules/@(aws-sdk|smithy)/'),
    onlyIn('features/search-engine', 'opensearch', 'node_modules/@opensearch-project/'),
    {
      name: 'no-room-without-a-floor',
      comment: 'A new folder of src/ needs its line in this file and in docs/architecture.md',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${[...Object.keys(mayImport), 'server', 'cli'].join('|')})/` },
      to: {},
    },
    {
      name: 'server-knows-no-feature',
      comment: 'The composition root puts floors together; what Quire can do is in the list of built-in plugins',
      severity: 'error',
      from: { path: '^src/server(\\.ts$|/)' },
      to: { path: '^src/features/' },
    },
    {
      name: 'settings-are-light',
      comment: 'The program reads what features can be told for its help, and loads nothing of them for it',
      severity: 'error',
      from: { path: '^src/features/[^/]+/settings\\.ts$' },
      to: { pathNot: '^src/(base|settings)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-by-the-front-door',
      comment: "A feature reaches another only through the other's index.ts",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
    },
    {
      name: 'content-model-by-its-feature',
      comment:
        'What documents are is contributed by features/content-model; others ask the model, or add to it from their own folder',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/model/builtin/', '^src/features/content-model/', aTest] },
      to: { path: '^src/model/builtin/' },
    },
    {
      name: 'pure-floors',
      comment: 'model and nxql do no I/O',
      severity: 'error',
      from: { path: '^src/(model|nxql)/', pathNot: aTest },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one idea, or a third file is missing',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: aTest },
      to: { path: ['^(test|bench|examples)/', aTest] },
    },
    {
      name: 'tests-use-support-only',
      comment: 'A unit test may take what it needs from test/support, not from another suite',
      severity: 'error',
      from: { path: `^src/.*${aTest}` },
      to: { path: ['^(test|bench|examples)/', aTest], pathNot: '^test/support/' },
    },
    {
      name: 'no-development-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: aTest },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['quire-source', 'import', 'node', 'types', 'default'],
      // Our own are named whole: an import without .ts is not found.
      extensions: ['.js', '.mjs'],
    },
  },
}
