import assert from 'node:assert/strict'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { attach, blobsOf, download } from '../support/files.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { testPostgresUrl } from '../support/postgres.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { workbenchOn } from '../support/workbench.ts'

// Every state of health is brought about here, and mended; a probe without its line fails the last test.

interface Scene {
  readonly server: TestServer
  readonly place: DatabasePlace
  readonly data: string
  readonly disk: SmallDisk | undefined
}

interface Mishap {
  /** Whether a balancer is to send no more requests. */
  readonly isVital: boolean
  /** The word for it; any where the driver says what is wrong. */
  readonly code: RegExp
  /** Gives what mends it. */
  befall(scene: Scene): Promise<() => Promise<unknown>>
}

/** Lets nobody into the database, and throws out who is in. */
async function shutDatabase({ place }: Scene): Promise<() => Promise<unknown>> {
  const name = new URL(String(place.settings['databaseUrl'])).pathname.slice(1)
  const ask = async (statement: string) => {
    const client = new pg.Client(await testPostgresUrl())
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  return () => ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

async function moveAway(path: string): Promise<() => Promise<unknown>> {
  await rename(path, `${path}.away`)
  return async () => {
    await rm(path, { recursive: true, force: true })
    await rename(`${path}.away`, path)
  }
}

const mishaps: Readonly<Record<string, Mishap>> = {
  repositoryStatus: {
    isVital: true,
    code: /^(?:databaseReplaced|databaseUnreachable|failed)$/,
    befall: (scene) => (scene.place.engine === 'sqlite' ? moveAway(join(scene.data, 'default.sqlite')) : shutDatabase(scene)),
  },
  blobStoreStatus: { isVital: true, code: /^\w+$/, befall: ({ data }) => moveAway(join(data, 'blobs')) },
  filesStatus: {
    isVital: false,
    code: /^filesFlawed$/,
    async befall({ server }) {
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'file' })
      const put = () => attach(server, uid, 'a text that will be gone', { name: 'a.txt', 'mime-type': 'text/plain' })
      const { key } = await put()
      const blobs = blobsOf(server)
      for await (const blob of blobs.list()) if (blob.key === key) await blobs.remove(blob)
      assert.notEqual((await download(server, `api/v1/id/${uid}/@blob/file:content`)).status, 200)
      // The same bytes again mend it.
      return put
    },
  },
  diskStatus: {
    isVital: false,
    code: /^diskNearlyFull$/,
    async befall({ disk }) {
      disk?.fill(10_000_000)
      return async () => disk?.free()
    },
  },
}

for (const engine of engines) {
  describe(`the health of a server changes with what it stands on (${engine})`, () => {
    let scene: Scene
    before(async () => {
      const place = await filledPlace(engine)
      const disk = mountSmallDisk(200)
      const data = disk === undefined ? place.folder : join(disk.folder, 'data')
      if (disk !== undefined) await cp(place.folder, data, { recursive: true })
      const settings = { ...place.settings, data, diskMinFree: '20MB', healthcheckRefreshIntervalSeconds: 0 }
      scene = { place, data, disk, server: await startTestServer({ settings }) }
    })
    after(async () => {
      await scene.server.stop()
      scene.disk?.unmount()
    })

    const ask = async (path: string) => {
      const answer = await fetch(new URL(path, scene.server.url))
      return { status: answer.status, body: (await answer.json()) as Record<string, never> }
    }
    const wordOf = async (probe: string) => String((await ask('health/ready')).body['probes']?.[probe])
    const until = async (condition: () => Promise<boolean>, what: string) => {
      const patience = AbortSignal.timeout(60_000)
      while (!(await condition())) {
        if (patience.aborted) assert.fail(what)
        await pause(50)
      }
    }

    for (const [probe, { isVital, code, befall }] of Object.entries(mishaps)) {
      test(`${probe}: ${isVital ? 'it is sent no more requests' : 'it goes on, and says so'}`, async (context) => {
        if (probe === 'diskStatus' && scene.disk === undefined) return context.skip('this user may mount nothing')
        await until(async () => (await wordOf(probe)) === 'ok', `${probe} is not well at first`)
        const mend = await befall(scene)
        try {
          await until(async () => (await wordOf(probe)) !== 'ok', `${probe} stays well`)
          assert.match(await wordOf(probe), code)
          assert.equal((await ask('health/ready')).status, isVital ? 503 : 200)
          assert.deepEqual(await ask('health/live'), { status: 200, body: { status: 'ok' } })
          const running = await ask('runningstatus')
          assert.deepEqual([running.status, running.body[probe]], [isVital ? 500 : 200, 'failed'])
        } finally {
          await mend()
        }
        await until(async () => (await wordOf(probe)) === 'ok', `${probe} does not become well again`)
        assert.equal((await ask('health/ready')).status, 200)
        assert.equal((await ask('runningstatus')).status, 200)
      })
    }

    test('in each of its probes, but for the one that says that it answers', async () => {
      const { body } = await ask('health/ready')
      assert.deepEqual(Object.keys(body['probes'] ?? {}), ['runtimeStatus', ...Object.keys(mishaps)])
    })
  })
}
