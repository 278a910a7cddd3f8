import assert from 'node:assert/strict'
import type { Random } from '../../faults/kill/random.ts'
import { callApi } from '../../support/call-api.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'

export interface SendingKilled {
  readonly receivers: number
  /** How many mails the other server had when ours was killed. */
  readonly receivedBefore: number
  readonly received: number
  /** Promises that were broken, as sentences. */
  readonly broken: readonly string[]
}

const patienceMillis = 300_000

/**
 * Has a document tell all its subscribers, kills the server once some have been mailed, takes the right from half of them before another
 * one sends the rest, and looks whether each other one got a mail, and nobody who may not read the document any more, or never might.
 */
export async function killWhileSending(place: DatabasePlace, random: Random, receivers: number): Promise<SendingKilled> {
  const round = random.between(0, 1e9).toString(36)
  const wanted = random.between(1, receivers)
  const reached = Promise.withResolvers<void>()
  let count = 0
  const mail = await startMailServer({
    async onMail() {
      count += 1
      if (count >= wanted) reached.resolve()
    },
  })
  try {
    const flags = ['--smtp-url', mail.url, '--mail-from', 'quire@example.org']
    const names = Array.from({ length: receivers }, (_, index) => `${round}-${index}`)
    const killed = await startServerProgram(place, flags)
    const uid = await tellAll(killed.url, round, names)
    await reached.promise
    killed.kill('SIGKILL')
    await killed.ended
    // One that reaches no server of mail: nothing that it composed before the right is gone can be sent after.
    const between = await startServerProgram(place, ['--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'quire@example.org'])
    await takeRight(between.url, uid, losersOf(round))
    assert.equal(await stopProgram(between), 0)
    await mail.down()
    const receivedBefore = mail.received.length
    await mail.up()
    const program = await startServerProgram(place, flags)
    const missing = await untilAllHave(
      mail,
      names.filter((_, index) => !isLoser(index)),
    )
    assert.equal(await stopProgram(program), 0)
    const losers = new Set(names.filter((_, index) => isLoser(index)).map((name) => `${name}@example.org`))
    const told = (from: number) => mail.received.slice(from).flatMap(({ to }) => to)
    const broken = [
      ...missing.map((name) => `${name} got no mail`),
      ...told(0)
        .filter((address) => address === `${round}-outside@example.org`)
        .map(() => 'somebody was mailed who may not read the document'),
      ...told(receivedBefore)
        .filter((address) => losers.has(address))
        .map((address) => `${address} was mailed who may not read the document any more`),
    ]
    return { receivers, receivedBefore, received: mail.received.length, broken }
  } finally {
    await mail.stop()
  }
}

const isLoser = (index: number) => index % 2 === 1
const losersOf = (round: string) => `${round}-losers`
const keepersOf = (round: string) => `${round}-keepers`

type Calling = (method: string, path: string, body: object) => Promise<{ readonly uid: string }>

const callingAt =
  (url: string): Calling =>
  async (method, path, body) => {
    const answer = await callApi(url, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

async function takeRight(url: string, uid: string, user: string): Promise<void> {
  await callingAt(url)('POST', '/automation/Document.RemovePermission', { input: uid, params: { user } })
}

/** Gives the id of the place whose subscribers they are. */
async function tellAll(url: string, round: string, names: readonly string[]): Promise<string> {
  const call = callingAt(url)
  const outside = `${round}-outside`
  const groups = [keepersOf(round), losersOf(round)]
  for (const groupname of groups) await call('POST', '/group', { 'entity-type': 'group', groupname })
  for (const [index, name] of [...names, outside].entries()) {
    const group = name === outside ? [] : [isLoser(index) ? losersOf(round) : keepersOf(round)]
    const properties = { username: name, email: `${name}@example.org`, groups: ['members', ...group] }
    await call('POST', '/user', { 'entity-type': 'user', id: name, properties })
  }
  const workspace = { 'entity-type': 'document', type: 'Workspace', name: round, properties: { 'dc:title': round } }
  const { uid } = await call('POST', '/path/default-domain/workspaces', workspace)
  await call('POST', '/automation/Document.Subscribe', { input: uid, params: { notifications: 'Creation' } })
  const subscribers = [...names, outside].map((name) => `user:${name}`)
  const properties = { 'notif:notifications': [{ name: 'Creation', subscribers }] }
  await call('PUT', `/id/${uid}`, { 'entity-type': 'document', properties })
  await call('POST', '/automation/Document.BlockPermissionInheritance', { input: uid, params: {} })
  await call('POST', '/automation/Document.AddPermission', { input: uid, params: { permission: 'Read', users: groups } })
  await call('POST', `/id/${uid}`, { 'entity-type': 'document', type: 'File', name: 'news', properties: { 'dc:title': 'News' } })
  return uid
}

/** The names that got none in time. */
async function untilAllHave(mail: MailServer, names: readonly string[]): Promise<readonly string[]> {
  const patience = performance.now() + patienceMillis
  for (;;) {
    const reached = new Set(mail.received.flatMap(({ to }) => to))
    const missing = names.filter((name) => !reached.has(`${name}@example.org`))
    if (missing.length === 0 || performance.now() > patience) return missing
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
