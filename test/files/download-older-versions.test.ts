import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aForm, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('3.5 a client that knows the date alone', (server) => {
  const bench = workbenchOn(server)
  const run = async (operation: string, input: string, params = {}) =>
    requireStatus(200, await server.as('Administrator').post(`/automation/${operation}`, { input, params }))

  const doors = (uid: string) => [
    `nxfile/default/${uid}`,
    `nxfile/default/${uid}/file:content`,
    `api/v1/id/${uid}/@blob/file:content`,
    `api/v1/id/${uid}/@rendition/mainBlob`,
    `api/v1/id/${uid}/@preview/`,
  ]

  const fetchAll = (uid: string) => Promise.all(doors(uid).map((door) => download(server, door)))

  /** Asks at each door again, with the date that came from there. */
  async function fetchAgain(uid: string, before: Awaited<ReturnType<typeof fetchAll>>) {
    const dated = before.map(({ headers }) => ({ 'If-Modified-Since': headers.get('last-modified') ?? '' }))
    return Promise.all(doors(uid).map((door, index) => download(server, door, { headers: dated[index] ?? {} })))
  }

  function assertSent(answers: Awaited<ReturnType<typeof fetchAll>>, uid: string, text: string): void {
    for (const [index, answer] of answers.entries()) {
      const door = `at ${doors(uid)[index]}`
      assert.equal(answer.status, 200, door)
      assert.ok(answer.text.includes(text), door)
    }
  }

  async function putText(uid: string, text: string) {
    const asked = { method: 'PUT', body: aForm(text, 'a.txt', { type: 'text/plain' }) }
    assert.equal((await download(server, `api/v1/id/${uid}/@blob/file:content`, asked)).status, 200)
  }

  /** A file of now, with a version that is some years old. */
  async function aChangedFile(): Promise<{ uid: string; version: string }> {
    const { uid } = await bench.create('File')
    await putText(uid, 'the old text')
    const properties = await server.asSystem(async ({ tx }) => (await tx.documents.find(uid))?.properties ?? {})
    await bench.change(uid, { properties: { ...properties, 'dc:modified': '2020-01-02T03:04:05.678Z' } })
    await run('Document.CheckIn', uid, { version: 'minor' })
    const { uid: version } = await run('Document.GetLastVersion', uid)
    await putText(uid, 'the new text')
    return { uid, version }
  }

  test('is sent the file of a version that was restored', async () => {
    const { uid, version } = await aChangedFile()
    const before = await fetchAll(uid)
    assertSent(before, uid, 'the new text')
    for (const { status } of await fetchAgain(uid, before)) assert.equal(status, 304)
    await run('Document.RestoreVersion', version)
    assertSent(await fetchAgain(uid, before), uid, 'the old text')
  })

  test('is sent the file of an older version that a proxy leads to now', async () => {
    const { uid, version } = await aChangedFile()
    const { uid: section } = await bench.create('Section')
    const { uid: proxy } = await run('Document.PublishToSection', uid, { target: section })
    const before = await fetchAll(proxy)
    assertSent(before, proxy, 'the new text')
    await run('Document.RestoreVersion', version)
    assert.equal((await run('Document.PublishToSection', uid, { target: section })).uid, proxy)
    assertSent(await fetchAgain(proxy, before), proxy, 'the old text')
  })
})
