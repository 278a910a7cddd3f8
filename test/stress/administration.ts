import type { Browser } from 'playwright-core'
import sql, { join, raw } from 'sql-template-tag'
import { userDirectory } from '../../src/core/directories/people.ts'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import type { TestServer } from '../../src/testing.ts'
import { visit } from '../support/browser.ts'
import type { EngineName } from '../support/database-place.ts'
import { beforeBrowser } from './console.ts'
import { judgeList, report, scroll, tasksWhile, untilShown } from './console-measures.ts'

const users = 100_000
const entries = 1_000_000
const jobs = 10_000
const tokens = 100_000
const insertedAtOnce = 2_000
const rounds = 5

/** What administrators look at when there is much of everything. */
export function stressAdministration(engine: EngineName): Promise<boolean> {
  return beforeBrowser(engine, async (browser, server) => {
    await addUsers(server)
    await addAuditEntries(server)
    await addJobs(server)
    await addTokens(server)
    const lists: readonly LongList[] = [
      { name: 'users', count: users, ...behindLink('users'), first: 'Person000000' },
      { name: 'audit entries', count: entries, ...behindLink('audit'), first: 'Person000' },
      { name: 'jobs', count: jobs, ...behindLink('jobs'), first: 'deliverMail' },
      { name: 'tokens', count: tokens, ...behindSegment(1), first: tokenApplication },
      { name: 'agreements', count: tokens, ...behindSegment(2), first: grantClient },
    ]
    let isSound = true
    for (const list of lists) isSound = (await tryList(engine, browser, server, list)) && isSound
    return isSound
  })
}

interface LongList {
  readonly name: string
  readonly count: number
  /** The screen that it is opened from, and which of the elements that are so there is clicked. */
  readonly before: string
  readonly opener: string
  readonly place: number
  /** What one of its first rows says. */
  readonly first: string
}

const behindLink = (screen: string) => ({ before: 'invitations', opener: `a[href$="/admin/${screen}"]`, place: 0 })
/** What people sign in with is three lists. */
const behindSegment = (place: 1 | 2) => ({ before: 'tokens', opener: 'main [role="radio"]', place })

async function tryList(engine: EngineName, browser: Browser, server: TestServer, list: LongList): Promise<boolean> {
  const { name, count, before, opener, place, first } = list
  const url = `${server.url}ui/admin/${before}`
  const { page, leave } = await visit(browser, { url, user: 'Administrator' })
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(url)
    await page.locator(opener).nth(place).waitFor()
    times.push(await page.evaluate<number>(untilShown(first, `document.querySelectorAll('${opener}')[${place}].click()`)))
  }
  const tasks = await tasksWhile(browser, page, async () => {
    await scroll(page)
    // Pages go on coming for as long as the list grows.
    await page.waitForTimeout(3_000)
  })
  await leave()
  const { isQuick, figures } = judgeList(times, tasks)
  return report(isQuick, engine, `${count} ${name}: ${figures}`)
}

async function addUsers({ services }: TestServer): Promise<void> {
  const { store, definitions } = services.directories
  const definition = definitions.get(userDirectory)
  if (definition === undefined) throw new Error('There are no users.')
  for (let start = 0; start < users; start += insertedAtOnce)
    await store.transact(async ({ directories }) => {
      const names = Array.from({ length: insertedAtOnce }, (_, index) => nameOf(start + index))
      for (const name of names) {
        const values = { username: name.toLowerCase(), firstName: name, lastName: 'Example', email: `${name}@example.com` }
        await directories.insert(userDirectory, storedEntry(definition, { id: values.username, values }))
      }
    })
}

const nameOf = (index: number) => `Person${String(index).padStart(6, '0')}`

/** As if people had worked for a month. */
async function addAuditEntries(server: TestServer): Promise<void> {
  const kinds = ['documentCreated', 'documentModified', 'download', 'loginSuccess', 'documentMoved']
  const month = 30 * 86_400_000
  const end = Date.now()
  const columns = raw('event_id, event_date, log_date, category, principal_name, doc_uuid, doc_type, doc_path, repository_id')
  for (let start = 0; start < entries; start += insertedAtOnce)
    await server.asSystem(async ({ tx }) => {
      const rows = Array.from({ length: insertedAtOnce }, (_, index) => {
        const number = start + index
        const date = Math.round(end - month + (month * number) / entries)
        const who = nameOf((number * 7919) % 1_000).toLowerCase()
        return sql`(${kinds[number % kinds.length]}, ${date}, ${date}, 'eventDocumentCategory', ${who}, ${`doc-${number % 50_000}`}, 'File', ${`/default-domain/workspaces/doc-${number % 50_000}`}, 'default')`
      })
      await tx.tables.run(sql`INSERT INTO audit_entries (${columns}) VALUES ${join(rows)}`)
    })
}

async function addJobs(server: TestServer): Promise<void> {
  const runAfter = new Date(Date.now() + 86_400_000).toISOString()
  for (let start = 0; start < jobs; start += insertedAtOnce)
    await server.asSystem(async ({ tx }) => {
      for (let count = 0; count < insertedAtOnce; count += 1)
        await tx.jobs.add('deliverMail', { number: start + count }, { runAfter, owner: nameOf(count).toLowerCase() })
    })
}

const tokenApplication = 'Mobile drawer'
const grantClient = 'scanner-7'

/** What programs sign in with, and what was agreed with others: a hundred of each for a thousand people. */
async function addTokens({ services }: TestServer): Promise<void> {
  const { store, definitions } = services.directories
  for (const [directory, valuesOf] of Object.entries({ authTokens: tokenOf, oauth2Tokens: grantOf })) {
    const definition = definitions.get(directory)
    if (definition === undefined) throw new Error(`There is no directory ${directory}.`)
    for (let start = 0; start < tokens; start += insertedAtOnce)
      await store.transact(async ({ directories }) => {
        const some = Array.from({ length: insertedAtOnce }, (_, index) => valuesOf(start + index))
        const stored = some.map(({ id, values }) => storedEntry(definition, { id, values }))
        await directories.insertAll(directory, stored)
      })
  }
}

const ownerOf = (number: number) => nameOf((number * 31) % 1_000).toLowerCase()
const creationOf = (number: number) => new Date(1_700_000_000_000 + number * 60_000).toISOString()

function tokenOf(number: number) {
  const id = `digest-${(number * 7919) % tokens}`
  const told = { applicationName: tokenApplication, deviceId: `device-${number}`, deviceDescription: null, permission: 'rw' }
  return { id, values: { token: id, userName: ownerOf(number), creationDate: creationOf(number), ...told } }
}

function grantOf(number: number) {
  const secrets = { accessToken: `access-${number}`, refreshToken: `refresh-${number}` }
  const told = { platformLogin: ownerOf(number), clientId: grantClient, creationDate: creationOf(number) }
  return { id: String(number + 1), values: { id: number + 1, ...secrets, ...told } }
}
