import assert from 'node:assert/strict'
import { deny, grant } from '../../src/model/rights/acl.ts'
import type { TestServer } from '../../src/testing.ts'
import { comparable, desktopClientOn } from '../support/desktop-client.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** The same numbers for the same seed: a history that fails can be had again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const rounds = 12

/** Two users whose clients synchronise, and a group that they join and leave. */
export async function addCrew(server: TestServer): Promise<void> {
  for (const user of ['ann', 'ben']) await server.addUser(user, ['members'])
  const crew = { 'entity-type': 'group', groupname: 'crew', grouplabel: 'crew' }
  requireStatus(201, await server.as('Administrator').post('/group', crew))
}

/** What several users do by one server to what clients synchronise by another, or by the same: after each round these have what that lists. */
export async function playHistory(writing: TestServer, reading: TestServer, seed: number): Promise<void> {
  const bench = workbenchOn(writing)
  const random = randomFrom(seed)
  const clients = [desktopClientOn(reading, 'ann', 2), desktopClientOn(reading, 'ben', 50)]
  const ground: Answered = await bench.create('Workspace', { 'dc:title': `ground ${seed}` })
  await bench.restrict(ground.uid, grant('ann', 'ReadWrite'), grant('ben', 'Read'))
  const outside: Answered = await bench.create('Workspace', { 'dc:title': `outside ${seed}` })
  const folders: string[] = [ground.uid, outside.uid]
  const files: string[] = []
  for (let made = 0; made < 6; made += 1) {
    const parent = await bench.read(folders[random(folders.length)] ?? '')
    folders.push((await bench.create('Folder', { 'dc:title': `f${made}` }, { parent: parent.path })).uid)
  }
  let counter = 0
  const folder = () => folders[random(folders.length)] ?? ''
  const file = () => files[random(files.length)] ?? ''
  const any = () => (random(2) === 0 ? folder() : file())
  const client = () => clients[random(clients.length)] ?? assert.fail()
  const admin = writing.as('Administrator')
  const op = (id: string, input: string, params: object = {}) => admin.post(`/automation/${id}`, { input, params })
  const history: string[] = []
  /** Some of them are refused, as where a folder is in the trash: then nothing has happened. */
  const steps: { readonly [name: string]: () => Promise<unknown> } = {
    async folder() {
      counter += 1
      const body = {
        'entity-type': 'document',
        type: 'Folder',
        name: `n${counter}`,
        properties: { 'dc:title': `new ${counter}` },
      }
      const { status, body: made } = await admin.post(`/id/${folder()}`, body)
      if (status === 201) folders.push(made.uid)
    },
    async note() {
      counter += 1
      const properties = { 'dc:title': `note ${counter}`, 'note:note': `text ${counter}` }
      const { status, body: made } = await admin.post(`/id/${folder()}`, {
        'entity-type': 'document',
        type: 'Note',
        name: `t${counter}`,
        properties,
      })
      if (status === 201) files.push(made.uid)
    },
    async change() {
      counter += 1
      await admin.put(`/id/${file()}`, { 'entity-type': 'document', properties: { 'note:note': `other ${counter}` } })
    },
    async title() {
      counter += 1
      await admin.put(`/id/${any()}`, { 'entity-type': 'document', properties: { 'dc:title': `title ${counter}` } })
    },
    move: () => op('Document.Move', any(), { target: folder() }),
    trash: () => op('Document.Trash', any()),
    untrash: () => op('Document.Untrash', any()),
    remove: () => admin.delete(`/id/${file()}`),
    removeFolder: () => (random(4) === 0 ? admin.delete(`/id/${folders.at(2 + random(folders.length - 2))}`) : Promise.resolve()),
    hide: () => bench.restrict(any(), grant('ann', 'Read')).catch(() => {}),
    hideFromAll: () => bench.setAcls(any(), [{ name: 'local', aces: [deny('Everyone', 'Everything')] }]).catch(() => {}),
    crew: () => bench.restrict(any(), grant('crew', 'ReadWrite')).catch(() => {}),
    show: () => bench.setAcls(any(), []).catch(() => {}),
    lock: () => op('Document.Lock', any()),
    unlock: () => op('Document.Unlock', any()),
    copy: () => op('Document.Copy', file(), { target: folder() }),
    join: () => admin.post(`/group/crew/user/${random(2) === 0 ? 'ann' : 'ben'}`),
    leave: () => admin.delete(`/group/crew/user/${random(2) === 0 ? 'ann' : 'ben'}`),
    register: () =>
      client()
        .register(folder())
        .catch(() => {}),
    unregister: () =>
      client()
        .unregister(folder())
        .catch(() => {}),
  }
  /** Otherwise all is in the trash or hidden after a while, and nothing happens any more. */
  async function revive() {
    for (const uid of [...folders, ...files]) {
      if (random(3) > 0) await op('Document.Untrash', uid)
      if (random(2) > 0) await bench.setAcls(uid, []).catch(() => {})
    }
    await op('Document.Untrash', ground.uid)
    await bench.restrict(ground.uid, grant('ann', 'ReadWrite'), grant('ben', 'Read'), grant('crew', 'Read')).catch(() => {})
    for (const one of clients) await one.register(ground.uid).catch(() => {})
  }
  for (const one of clients) await one.start()
  await clients[0]?.register(ground.uid)
  await clients[1]?.register(ground.uid)
  const names = [...Object.keys(steps), 'folder', 'note', 'note', 'note', 'move', 'move', 'untrash', 'show', 'change', 'title']
  for (let round = 0; round < rounds; round += 1) {
    if (round % 5 === 4) await revive()
    for (let step = random(6); step >= 0; step -= 1) {
      const name = names[random(names.length)] ?? ''
      history.push(name)
      await steps[name]?.()
    }
    for (const [place, one] of clients.entries()) {
      await one.poll()
      const listed = await one.listed()
      assert.deepEqual(comparable(one.items), comparable(listed), `client ${place} in round ${round} after ${history.slice(-12)}`)
    }
    history.push('|')
  }
}
