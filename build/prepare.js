// `npm ci` runs this. Plain JavaScript, as an older Node.js may run it; what bundles needs the one that was just installed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isBundleCurrent } from '../bin/bundle-current.js'

const root = resolve(import.meta.dirname, '..')
const node = join(root, 'node_modules/node/bin/node')
const bundler = join(root, 'node_modules/esbuild')

// Without the packages for development there is no bundler, and the server runs from its sources.
if (!isBundleCurrent(root) && existsSync(node) && existsSync(bundler))
  execFileSync(node, [join(root, 'build/bundle.ts')], { stdio: 'inherit' })

// The console likewise: without what builds it the server says so at its address.
if (existsSync(node) && existsSync(join(root, 'node_modules/vite')))
  execFileSync(node, [join(root, 'console/build.js')], { stdio: 'inherit' })
