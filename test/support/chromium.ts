import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const names = [process.env['QUIRE_TEST_CHROMIUM'], 'chromium', 'chromium-browser', 'google-chrome'].filter(
  (name) => name !== undefined,
)

/** The program of a browser that this machine has; tests that need one are skipped by name without it. */
export const chromium: string | undefined = names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

/** A tab of a real browser, driven over its debugging protocol: there is little to drive, and no program is needed for it. */
export interface BrowserTab {
  open(url: string): Promise<void>
  /** What an expression is in the page, by value. */
  evaluate(expression: string): Promise<unknown>
  /** Waits for an expression to become true. */
  until(expression: string): Promise<void>
  /** Types into the field that a selector finds. */
  type(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  resize(size: { width: number; height: number; isDark?: boolean; hasScripts?: boolean }): Promise<void>
  /** A picture of the page, written to the file. */
  shoot(file: string): Promise<void>
  close(): Promise<void>
}

interface ProtocolMessage {
  readonly id?: number
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly message: string }
}

export async function openTab(program: string): Promise<BrowserTab> {
  const profile = await mkdtemp(join(tmpdir(), 'quire-chromium-'))
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0']
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const port = await debuggingPort(child.stderr)
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<ProtocolMessage>>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ProtocolMessage
    if (message.id !== undefined) waiting.get(message.id)?.resolve(message)
  })
  let last = 0

  async function send(method: string, params: object = {}): Promise<{ readonly [name: string]: unknown }> {
    last += 1
    const reply = Promise.withResolvers<ProtocolMessage>()
    waiting.set(last, reply)
    socket.send(JSON.stringify({ id: last, method, params }))
    const { result = {}, error } = await reply.promise
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async function evaluate(expression: string): Promise<unknown> {
    const { result } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
    return (result as { value?: unknown }).value
  }

  async function until(expression: string): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      // Between two pages there is nothing to ask.
      if ((await evaluate(expression).catch(() => false)) === true) return
      await pause(50)
    }
    throw new Error(`${expression} did not become true at ${await evaluate('location.href')}`)
  }

  return {
    evaluate,
    until,
    async open(url) {
      await send('Page.navigate', { url })
      await until("document.readyState === 'complete'")
    },
    async type(selector, text) {
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`)
      await send('Input.insertText', { text })
    },
    async click(selector) {
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
    },
    async resize({ width, height, isDark = false, hasScripts = true }) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }] })
      await send('Emulation.setScriptExecutionDisabled', { value: !hasScripts })
    },
    async shoot(file) {
      const { data } = await send('Page.captureScreenshot', { format: 'png' })
      await writeFile(file, Buffer.from(String(data), 'base64'))
    },
    async close() {
      socket.close()
      child.kill()
      await once(child, 'exit')
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function debuggingPort(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const [, port] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(text) ?? []
    if (port !== undefined) {
      output.resume()
      return port
    }
  }
  throw new Error(`The browser did not start: ${text}`)
}
