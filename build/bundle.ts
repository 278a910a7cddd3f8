// The first half of `npm run build`, which makes dist/, the package as it is installed: Node.js strips no types below node_modules, so
// it is JavaScript there, and bundled, because a server that loads a few files starts faster than one that loads a thousand. An
// argument names another folder.
// `npm ci` makes it, too, so that a checkout starts as fast.
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
  // Large, and needed by few servers or long after the start. Whatever else is needed is in the bundle.
  external: [
    '@aws-sdk/*',
    '@cantoo/pdf-lib',
    '@grpc/grpc-js',
    '@hyzyla/pdfium',
    '@opensearch-project/opensearch',
    '@opentelemetry/*',
    'file-type',
    'mammoth',
    'nodemailer',
    'openid-client',
    'pg',
    'sanitize-html',
    'sharp',
  ],
} as const satisfies BuildOptions

const wholeProgram: Plugin = {
  name: 'whole-program',
  setup({ onResolve }) {
    onResolve({ filter: /\/whole-program\.ts$/ }, () => ({ path: './whole-program.js', external: true }))
  },
}

/** What each process and thread begins with. */
async function bundlePrograms(): Promise<void> {
  await build({
    ...common,
    entryPoints: {
      quire: 'src/main.ts',
      'checkpoint-thread-program': 'src/store/sqlite/checkpoint/checkpoint-thread-program.ts',
      'storing-thread-program': 'src/store/blobs/filesystem/storing-thread-program.ts',
      'search-process-program': 'src/store/sqlite/search/search-process-program.ts',
      'conversion-process-program': 'src/core/conversion/process/conversion-process-program.ts',
      ...converterModules(),
    },
    outdir: dist,
    splitting: true,
    format: 'esm',
    plugins: [wholeProgram],
    // For packages that are no modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
}

/** What converters do, each loaded by a conversion process when it is first needed. */
function converterModules(): Record<string, string> {
  const files = globSync('src/features/*/converters/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]))
}

/**
 * The server, all commands, and what authors of plugins import: one script, as only a script can be kept compiled with the functions
 * that it has called (`bin/load-script.js`). Each part of it runs when it is first asked for.
 */
async function bundleWholeProgram(): Promise<void> {
  const contents = `
    export { run } from './src/whole-program.ts'
    export const index = () => require('./src/index.ts')
    export const testing = () => require('./src/testing.ts')`
  await build({
    ...common,
    stdin: { contents, resolveDir: root, sourcefile: 'whole-program.js' },
    outfile: join(dist, 'whole-program.cjs'),
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl', 'import.meta.dirname': 'moduleFolder' },
  })
  const [script, load] = [`join(import.meta.dirname, 'whole-program.cjs')`, `'../bin/load-script.js'`]
  writeModule('whole-program', [
    `import { join } from 'node:path'`,
    `import { loadScript } from ${load}`,
    `const { exports, keepCompiled } = loadScript(${script}, import.meta.url)`,
    'export const run = (argv, environment) => exports.run(argv, { ...environment, keepCompiled })',
    'export const { index, testing } = exports',
  ])
}

/** Whoever imports `quire` gets the very modules that the server runs. */
async function bundleFacade(name: 'index' | 'testing'): Promise<void> {
  const entryPoints = [`src/${name}.ts`]
  const { metafile } = await build({ ...common, entryPoints, format: 'esm', outdir: dist, write: false, metafile: true })
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports)
  writeModule(name, [`import { ${name} } from './whole-program.js'`, `export const { ${names.join(', ')} } = ${name}()`])
}

function writeModule(name: string, lines: readonly string[]): void {
  writeFileSync(join(dist, `${name}.js`), `${lines.join('\n')}\n`)
}

rmSync(dist, { recursive: true, force: true })
// Modules read these beside themselves, and in dist/ all modules are in one folder.
for (const data of globSync('src/features/*/data', { cwd: root }))
  cpSync(join(root, data), join(dist, 'data'), { recursive: true })
await bundleWholeProgram()
await bundleFacade('index')
await bundleFacade('testing')
// Last, for where it is the bundle is taken for whole.
await bundlePrograms()
