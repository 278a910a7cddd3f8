import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { findInstalled } from './installed-program.ts'

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

export function hasNginx(): boolean {
  return findInstalled('nginx', '-v') !== undefined
}

/**
 * Starts nginx before two servers, with the configuration that comes with Quire: only the addresses in it are others. With a folder of
 * files it hands these over itself; unless it is told to ask for that, what clients send is passed on.
 */
export async function startNginx(
  servers: readonly [string, string],
  { files, asks = true }: { readonly files?: string; readonly asks?: boolean } = {},
): Promise<Nginx> {
  const program = findInstalled('nginx', '-v')
  if (program === undefined) throw new Error('nginx is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'quire-nginx-'))
  const port = await freePort()
  const proxy = readFileSync(resolve(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
    .replace('server-1:8080', new URL(servers[0]).host)
    .replace('server-2:8080', new URL(servers[1]).host)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/\}\s*$/, () => (files === undefined ? '}' : `${handingOver(files)}}`))
    .replace(
      'proxy_http_version',
      () => `${files !== undefined && asks ? 'proxy_set_header X-Accel-Location /quire-files; ' : ''}proxy_http_version`,
    )
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; events {}
http { access_log off; ${folders.join(' ')} ${proxy} }`,
  )
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const complaints = text(child.stderr)
  const failed = ended.then(async () => Promise.reject(new Error(`nginx has ended.\n${await complaints}`)))
  await Promise.race([listens(port), failed])
  failed.catch(() => {}) // From here on it ends when it is told to.
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function handingOver(files: string): string {
  const location = readFileSync(resolve(import.meta.dirname, '../../deploy/nginx-files.conf'), 'utf8')
  return location.replace('/var/lib/quire/blobs/', `${files}/`)
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await pause(10)
    } finally {
      socket.destroy()
    }
  }
}
