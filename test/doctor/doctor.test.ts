import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { useS3Server } from '../support/blob-places.ts'
import { commandLineAt, type Typed } from '../support/command-line.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { startMailServer } from '../support/mail-server.ts'

interface ToldFinding {
  readonly state: string
  readonly about: string
  readonly fact: string
  readonly costs?: string
  readonly remedy?: string
}

/** What the command finds at a place, by what it is about, and with which code it ends. */
async function examined(place: DatabasePlace, flags: readonly string[] = [], typed: Typed = {}) {
  const { code, printed } = await commandLineAt(place).run(['doctor', '--json', ...flags], typed)
  const findings: readonly ToldFinding[] = JSON.parse(printed).findings
  return { code, findings, of: (about: string) => findings.filter((finding) => finding.about === about) }
}

const only = (findings: readonly ToldFinding[]) => {
  assert.equal(findings.length, 1, JSON.stringify(findings))
  return findings[0] as ToldFinding
}

describe('quire doctor looks at a place', () => {
  test('where nothing was started yet, and finds nothing wrong', async () => {
    const { code, of, findings } = await examined(await freshPlace('sqlite'))
    assert.equal(code, 0)
    assert.match(only(of('database')).fact, /no server has made one/)
    assert.deepEqual(
      findings.filter(({ state }) => state === 'wrong'),
      [],
    )
  })

  test('beside a running server, and changes nothing', async () => {
    const place = await filledPlace('sqlite')
    const server = await startTestServer({ settings: place.settings })
    try {
      const { code, of } = await examined(place)
      assert.equal(code, 0)
      assert.match(only(of('database')).fact, /^embedded, default has \d+ MB\.$/)
      assert.match(only(of('files')).fact, /can be written to/)
    } finally {
      await server.stop()
    }
  })

  test('in words, with what something costs and what to do', async () => {
    const { run } = commandLineAt(await filledPlace('sqlite'))
    const { code, printed } = await run(['doctor', '--disk-min-free', '9000000 GB'])
    assert.equal(code, 1)
    assert.match(
      printed,
      /^Wrong:\n {2}disk: the data folder.*less than the .* of disk-min-free\.\n {4}When it is full .*\n {4}→ Make room/,
    )
    assert.match(printed, /\nWorth a look:\n/)
    assert.match(printed, /\nWell:\n/)
    assert.match(printed, /\nNode\.js v/)
  })
})

describe('quire doctor says of the database', () => {
  test('that its tables are newer than the program', async () => {
    const place = await filledPlace('sqlite')
    await place.query('INSERT INTO schema_version (version) VALUES (9999)')
    const { code, of } = await examined(place)
    assert.equal(code, 1)
    assert.match(only(of('tables')).fact, /version 9999/)
  })

  test('that its tables will be brought up to date', async () => {
    const place = await filledPlace('sqlite')
    await place.query('DELETE FROM schema_version WHERE version > 16')
    const { state, remedy } = only((await examined(place)).of('tables'))
    assert.equal(state, 'advice')
    assert.match(String(remedy), /^quire backup first/)
  })

  test('that its file is none', async () => {
    const place = await filledPlace('sqlite')
    for (const end of ['', '-wal', '-shm']) await rm(join(place.folder, `default.sqlite${end}`), { force: true })
    await writeFile(join(place.folder, 'default.sqlite'), 'this is no database '.repeat(1_000))
    const { code, of } = await examined(place)
    assert.equal(code, 1)
    assert.match(only(of('database')).fact, /cannot be reached: file is not a database/)
  })

  test('which PostgreSQL it is, its extension, its clock, its connections, and what is unsafe', async () => {
    const place = await filledPlace('postgres')
    const { of } = await examined(place)
    const [version, ...others] = of('database')
    assert.match(String(version?.fact), /^PostgreSQL \d+.* at \S+\.$/)
    assert.equal(String(version?.fact).includes('@'), false, 'no password')
    assert.ok(
      others.every(({ fact }) => /fsync|encrypted/.test(fact)),
      JSON.stringify(others),
    )
    assert.equal(only(of('pg_trgm')).state, 'good')
    assert.equal(only(of('clock')).state, 'good')
    assert.match(only(of('connections')).fact, /^\d+ of \d+ are in use/)
  })

  test('that the extension is missing', async () => {
    const place = await filledPlace('postgres')
    await place.query('DROP EXTENSION pg_trgm CASCADE')
    const { state, costs } = only((await examined(place)).of('pg_trgm'))
    assert.deepEqual([state, costs], ['advice', 'Searches with LIKE and % in front go through all documents.'])
  })

  test('that nobody answers, without the password', async () => {
    const place = await freshPlace('sqlite')
    const typed = { variables: { QUIRE_DATABASE_URL: 'postgres://quire:hidden-password@127.0.0.1:1/none' } }
    const { code, of, findings } = await examined(place, [], typed)
    assert.equal(code, 1)
    assert.match(only(of('database')).fact, /cannot be reached/)
    assert.equal(JSON.stringify(findings).includes('hidden-password'), false)
  })

  test('that its replica does not answer', async () => {
    const place = await filledPlace('postgres')
    const { code, of } = await examined(place, ['--database-replica-url', 'postgres://quire@127.0.0.1:1/none'])
    assert.equal(code, 1)
    assert.match(only(of('replica')).fact, /^127\.0\.0\.1:1\/none cannot be reached/)
  })

  test('that its replica follows no server', async () => {
    const place = await filledPlace('postgres')
    const { of } = await examined(place, ['--database-replica-url', String(place.settings['databaseUrl'])])
    assert.match(only(of('replica')).fact, /follows no server/)
  })
})

describe('quire doctor says of files', () => {
  const s3 = useS3Server({ buckets: ['archive'] })
  const address = (bucket: string) => `s3://${bucket}/?endpoint=${s3().url}`

  test('that a bucket can be written to', async () => {
    const { of } = await examined(await freshPlace('sqlite'), ['--blobs', address('archive')])
    assert.match(only(of('files')).fact, /^the bucket archive can be written to\.$/)
  })

  test('that the clock of its store is another', async () => {
    s3().faults.clockAheadMillis = 60_000
    try {
      const { of } = await examined(await freshPlace('sqlite'), ['--blobs', address('archive')])
      assert.match(only(of('files')).fact, /its clock differs by (?:59|60) s\.$/)
    } finally {
      delete s3().faults.clockAheadMillis
    }
  })

  test('that there is no such bucket', async () => {
    const { code, of } = await examined(await freshPlace('sqlite'), ['--blobs', address('nowhere')])
    assert.equal(code, 1)
    assert.match(only(of('files')).fact, /^they cannot be written: /)
  })

  test('that a file is where the folder should be', async () => {
    const place = await freshPlace('sqlite')
    await writeFile(join(place.folder, 'taken'), '')
    const { code, of } = await examined(place, ['--blobs', join(place.folder, 'taken')])
    assert.equal(code, 1)
    assert.match(only(of('files')).fact, /is no folder/)
  })
})

describe('quire doctor says of mail', () => {
  test('that it goes to files, that a server would take it, and that it would not', async () => {
    const place = await freshPlace('sqlite')
    assert.equal(only((await examined(place)).of('mail')).state, 'advice')
    const server = await startMailServer()
    const flags = ['--smtp-url', server.url, '--mail-from', 'quire@example.org']
    try {
      assert.match(only((await examined(place, flags)).of('mail')).fact, /would take it/)
      assert.equal(server.received.length, 0)
      assert.match(only((await examined(place, flags.slice(0, 2))).of('mail')).fact, /needs mailFrom as well/)
    } finally {
      await server.stop()
    }
    const { code, of } = await examined(place, flags)
    assert.equal(code, 1)
    assert.match(only(of('mail')).fact, /does not take it: .*ECONNREFUSED/)
  })
})

describe('quire doctor says of settings', () => {
  test('that everybody knows the password of Administrator, which is worse where others reach the server', async () => {
    const place = await filledPlace('sqlite')
    const password = async (...flags: readonly string[]) => only((await examined(place, flags)).of('password'))
    assert.equal((await password()).state, 'advice')
    const open = await password('--host', '0.0.0.0')
    assert.deepEqual([open.state, open.costs], ['wrong', 'The server refuses to listen on 0.0.0.0.'])
    assert.match(String((await password('--virtual-host', 'https://dms.example.org/')).costs), /reaches the proxy/)
    await commandLineAt(place).run(['user', 'password', 'Administrator'], { secret: 'a much better one' })
    assert.deepEqual((await examined(place)).of('password'), [])
  })

  for (const [flag, value, about, state] of [
    ['--trusted-proxies', '0.0.0.0/0', 'trusted-proxies', 'wrong'],
    ['--cors-urls', '*', 'cors-urls', 'wrong'],
    ['--cors-allow-null-origin', 'true', 'cors-allow-null-origin', 'advice'],
    ['--virtual-host', 'http://dms.example.org/', 'virtual-host', 'wrong'],
    ['--notification-delivery-insecure-hosts', 'receiver', 'notification-delivery-insecure-hosts', 'advice'],
  ] as const) {
    test(`that ${flag} ${value} is dangerous`, async () => {
      const { of } = await examined(await freshPlace('sqlite'), [`${flag}=${value}`])
      const finding = only(of(about))
      assert.equal(finding.state, state)
      assert.ok(finding.costs && finding.remedy)
    })
  }

  test('what is dangerous only where others reach the server', async () => {
    const place = await freshPlace('sqlite')
    const flags = ['--dev-mode', '--rest-stack-enable']
    const abouts = ['dev-mode', 'rest-stack-enable', 'allowed-hosts']
    const found = async (more: readonly string[]) => {
      const { of } = await examined(place, [...flags, ...more])
      return abouts.filter((about) => of(about).length > 0)
    }
    assert.deepEqual(await found([]), [])
    assert.deepEqual(await found(['--host', '0.0.0.0']), abouts)
  })
})
