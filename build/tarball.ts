// `npm run tarball`: Quire for a machine that has neither Node.js nor npm. One folder with the bundle, the packages it needs on this
// platform, the Node.js it runs on, a unit for systemd and a script that starts it. The same sources and packages give the same bytes.
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    /** The folder that it is written to. */
    out: { type: 'string', default: root },
    /** The bundle. */
    dist: { type: 'string', default: join(root, 'dist') },
    /** How hard it is compressed, as gzip counts. */
    level: { type: 'string', default: '9' },
  },
})

interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'link'
  readonly isProgram?: boolean
  /** Of a link what it leads to. */
  read(): Promise<Uint8Array>
}

interface Locked {
  readonly dev?: boolean
  readonly link?: boolean
}

const { version, files }: { version: string; files: readonly string[] } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const name = `quire-${version}-${process.platform}-${process.arch}`

const start = `#!/bin/sh
# Quire, with the Node.js that came with it: needs nothing else of the machine.
self=$0
[ -L "$self" ] && self=$(PATH=/usr/bin:/bin readlink -f "$self")
here=\${self%/*}
exec "$here/node_modules/node/bin/node" "$here/bin/quire.js" "$@"
`

function fromText(at: string, text: string, more: Pick<TarEntry, 'kind' | 'isProgram'> = { kind: 'file' }): TarEntry {
  return { name: at, ...more, read: async () => Buffer.from(text) }
}

function fromFile(at: string, path: string): TarEntry {
  return { name: at, kind: 'file', isProgram: (statSync(path).mode & 0o111) !== 0, read: () => readFile(path) }
}

/** All files of a folder, but for those of these names. */
function fromFolder(at: string, folder: string, isLeftOut: (name: string) => boolean = () => false): readonly TarEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (isLeftOut(entry.name)) return []
    const [inside, path] = [`${at}/${entry.name}`, join(folder, entry.name)]
    return entry.isDirectory() ? fromFolder(inside, path, isLeftOut) : entry.isFile() ? [fromFile(inside, path)] : []
  })
}

/** What npm would pack. The console is built by another tool, and the server says so where it is missing. */
function ownFiles(): readonly TarEntry[] {
  const own = [...files, 'package.json', 'LICENSE', 'README.md', 'CHANGELOG.md']
  return own.flatMap((part) => {
    const path = part === 'dist' ? resolve(values.dist) : join(root, part)
    if (!existsSync(path)) {
      if (part !== 'console/dist') throw new Error(`There is no ${path}: npm run build makes it.`)
      console.error('There is no console/dist, so the console is left out: npm run build makes it.')
      return []
    }
    return statSync(path).isDirectory() ? fromFolder(part, path) : [fromFile(part, path)]
  })
}

/** What no program reads that runs, but for licences; the packages in a package have entries of their own. */
const isForAuthors = (file: string) =>
  file === 'node_modules' || (/\.(map|[cm]?ts|md|markdown)$/i.test(file) && !/licen[cs]e|notice|copying/i.test(file))

/** The packages that the lock file has for more than development, as far as they are for this platform and so were installed. */
function packages(): readonly TarEntry[] {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  return needed.flatMap(([path]) => {
    const folder = join(root, path)
    return existsSync(folder) ? fromFolder(path, folder, isForAuthors) : []
  })
}

/** The licence of Node.js is in the package that its program was taken from. */
function licenceOfNode(): readonly TarEntry[] {
  const inside = join(root, 'node_modules/node/node_modules')
  const found = existsSync(inside) ? readdirSync(inside).map((one) => join(inside, one, 'LICENSE')) : []
  return found.filter((path) => existsSync(path)).map((path) => fromFile('node_modules/node/LICENSE', path))
}

const block = 512
// Before 1980 some programs doubt the date. https://reproducible-builds.org/specs/source-date-epoch/
const modified = Number(process.env['SOURCE_DATE_EPOCH'] ?? 315_532_800)

/** A header as POSIX has it (ustar), which every `tar` reads. */
function headerOf({ name: at, kind, isProgram = false }: TarEntry, length: number, target: string): Buffer {
  const full = `${name}/${at}`
  const cut = full.length <= 100 ? -1 : full.indexOf('/', full.length - 101)
  if (full.length > 100 && (cut < 0 || cut > 155)) throw new Error(`The name ${full} is too long for a tar file.`)
  const header = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(full.slice(cut + 1), 0)
  header.write(octal(isProgram || kind === 'link' ? 0o755 : 0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(length, 11), 124)
  header.write(octal(modified, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(kind === 'link' ? '2' : '0', 156)
  header.write(target, 157)
  header.write('ustar\x0000', 257)
  header.write('root', 265)
  header.write('root', 297)
  if (cut > 0) header.write(full.slice(0, cut), 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

async function* tarOf(entries: readonly TarEntry[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const content = await entry.read()
    const isLink = entry.kind === 'link'
    yield headerOf(entry, isLink ? 0 : content.length, isLink ? Buffer.from(content).toString() : '')
    if (isLink) continue
    yield content
    yield Buffer.alloc((block - (content.length % block)) % block)
  }
  yield Buffer.alloc(2 * block)
}

const entries = [
  fromText('quire', start, { kind: 'file', isProgram: true }),
  // Where the unit for systemd, and whoever knows an installation by npm, look for it.
  fromText('node_modules/.bin/quire', '../../quire', { kind: 'link' }),
  fromFile('quire.service', join(root, 'deploy/quire.service')),
  ...ownFiles(),
  ...packages(),
  ...licenceOfNode(),
].toSorted((left, right) => (left.name < right.name ? -1 : 1))

const path = join(resolve(values.out), `${name}.tar.gz`)
await pipeline(Readable.from(tarOf(entries)), createGzip({ level: Number(values.level) }), createWriteStream(path))
console.log(path)
