import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { isObject } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'
import { type CommandEnvironment, type ExitCode, exitCodes } from '../command/command.ts'
import { packageRoot } from '../package-root.ts'

export const fileInTheWay = defineProblem(
  'fileInTheWay',
  'conflict',
  (of: { files: readonly string[] }) => `nothing was written, because this is there already: ${of.files.join(', ')}`,
)

export const manifestUnreadable = defineProblem(
  'manifestUnreadable',
  'invalid',
  (of: { path: string }) => `nothing was written, because ${of.path} is not a JSON object`,
)

/** From the template to the deployment. A package never carries a file named .gitignore. */
const files: ReadonlyMap<string, string> = new Map([
  ['quire.config.ts', 'quire.config.ts'],
  ['tsconfig.json', 'tsconfig.json'],
  ['gitignore', '.gitignore'],
  ['plugins/contracts.ts', 'plugins/contracts.ts'],
  ['plugins/contracts.test.ts', 'plugins/contracts.test.ts'],
])

interface Call extends Pick<CommandEnvironment, 'directory' | 'print'> {
  readonly operands: { readonly folder: string | undefined }
  readonly options: { readonly console: boolean }
}

/** What adds to the console lies in a folder of its own, as all of it is sent to browsers. */
const consoleFiles: ReadonlyMap<string, string> = new Map([
  ['quire.config.console.ts', 'quire.config.ts'],
  ['plugins/contracts-console.ts', 'plugins/contracts-console.ts'],
  ['plugins/contracts-console.test.ts', 'plugins/contracts-console.test.ts'],
  ['console/signing-tab.js', 'console/signing-tab.js'],
  ['console/tsconfig.json', 'console/tsconfig.json'],
])

/** @throws fileInTheWay, manifestUnreadable */
export async function makeDeployment({ directory, operands, options, print }: Call): Promise<ExitCode> {
  const folder = resolve(directory, operands.folder ?? '.')
  const wanted = options.console ? withConsole(files) : files
  const inTheWay = [...wanted.values()].filter((file) => existsSync(join(folder, file)))
  if (inTheWay.length > 0) throw fileInTheWay({ files: inTheWay })
  const completed = completeManifest(await readManifest(folder), basename(folder), options)

  await mkdir(folder, { recursive: true })
  for (const [from, to] of wanted) {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await cp(join(packageRoot, 'template', from), join(folder, to), { errorOnExist: true, force: false })
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(completed, undefined, 2)}\n`)
  print(nextSteps(relative(directory, folder)))
  return exitCodes.done
}

function withConsole(usual: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...[...usual].filter(([, to]) => to !== 'quire.config.ts'), ...consoleFiles])
}

type Manifest = Readonly<Record<string, unknown>>

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return {}
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (isObject(parsed)) return parsed
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw manifestUnreadable({ path })
}

/** What a deployment needs beside what is there: `"type": "module"` whatever was there, because its files are modules. */
export function completeManifest(present: Manifest, folderName: string, options = { console: false }): Manifest {
  const { devDependencies } = manifest
  return {
    name: nameFrom(folderName),
    private: true,
    ...present,
    type: 'module',
    scripts: {
      start: 'quire serve',
      test: 'node --test',
      types: options.console ? 'tsc --noEmit && tsc --noEmit -p console' : 'tsc --noEmit',
      ...asObject(present['scripts'], withoutNpmsOwn),
    },
    dependencies: { quire: `^${manifest.version}`, ...asObject(present['dependencies']) },
    devDependencies: {
      '@types/node': devDependencies['@types/node'],
      typescript: '^7.0.2',
      ...asObject(present['devDependencies']),
    },
    // The Node.js that Quire runs on is put in its place by a script; npm would ask about one that is not named.
    allowScripts: { node: true, protobufjs: false, ...asObject(present['allowScripts']) },
  }
}

function asObject(value: unknown, change: (object: Manifest) => Manifest = (object) => object): Manifest {
  return isObject(value) ? change(value) : {}
}

/** `npm init` writes a test that only fails. */
function withoutNpmsOwn({ test, ...others }: Manifest): Manifest {
  return test === undefined || String(test).includes('no test specified') ? others : { ...others, test }
}

/** A name that npm takes. */
function nameFrom(folderName: string): string {
  const name = folderName.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '') || 'quire-deployment'
}

function nextSteps(folder: string): string {
  return [
    'Made a deployment: quire.config.ts, and in plugins/ an example with its test.',
    '',
    ...(folder === '' ? [] : [`  cd ${folder}`]),
    '  npm install     installs what is missing',
    '  npm start       starts the server',
    "  npm test        runs the plugin's test",
  ].join('\n')
}
