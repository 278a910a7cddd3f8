import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { TestServer } from '../../src/testing.ts'
import { dropFiles } from './browser.ts'

/** In the order of their names. */
export function droppedNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `file-${String(number).padStart(4, '0')}.txt`)
}

/** Drops a folder called Pictures onto the page, loses the network when some of its files have arrived, and waits for all of them. */
export async function dropWhileOffline(page: Page, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-dropped-'))
  const dropped = join(folder, 'Pictures')
  await mkdir(dropped)
  for (const name of droppedNames(count)) await writeFile(join(dropped, name), name)
  await dropFiles(page, dropped)
  const underway = page.getByRole('region', { name: 'Uploads' }).getByRole('status')
  const left = async () => Number(/\d+/.exec((await underway.first().textContent()) ?? '')?.[0] ?? count)
  await page.getByText(/Sending \d+ files/).waitFor()
  while ((await left()) > count * 0.7) await page.evaluate('new Promise(requestAnimationFrame)')
  await page.context().setOffline(true)
  await page.getByText(/Sending \d+ files/).waitFor()
  await page.context().setOffline(false)
  await page.getByText(`${count} files have arrived`).waitFor({ timeout: 120_000 })
  await rm(folder, { recursive: true })
}

/** Of all documents in a folder, sorted. */
export async function namesIn(server: TestServer, path: string): Promise<readonly string[]> {
  const { body } = await server.as('Administrator').get(`/path${path}/@children?pageSize=1000`)
  return (body.entries as readonly { readonly title: string }[]).map(({ title }) => title).sort()
}
