import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('7.3 the renditions that a picture lists', (server) => {
  const bench = workbenchOn(server)

  test('are those that their addresses give, however its views are called', async () => {
    const { uid } = await bench.create('Picture')
    const titles = ['Own', 'thumbnail', 'zipExport', 'pdf', '', ' ', '..', 'Own']
    await bench.update(uid, { 'picture:views': titles.map((title) => ({ title })) })
    for (const [index] of titles.entries()) {
      const about = { xpath: `picture:views/${index}/content`, name: `${index}.jpg`, 'mime-type': 'image/jpeg' }
      await attach(server, uid, `view ${index}`, about)
    }
    const { contextParameters } = await bench.read(uid, { 'enrichers.document': 'renditions' })
    const views = contextParameters.renditions.filter(({ kind }: { kind: string }) => kind === 'platform:picture:conversion')
    assert.deepEqual(
      views.map(({ name }: { name: string }) => name),
      ['Own'],
    )
    assert.equal((await download(server, views[0].url)).text, 'view 0')
  })
})
