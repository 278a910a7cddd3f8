import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import PostalMime from 'postal-mime'
import { homeOf } from '../../src/core/blob-gc/known-repositories.ts'
import { createImportJob } from '../../src/features/csv/import/import-job.ts'
import { findImport, storeImport } from '../../src/features/csv/import/import-records.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { assertCallRefused, callWithFiles, jsonOf } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const place = join(tmpdir(), `quire-csv-${process.pid}-${Date.now()}`)
before(async () => {
  await mkdir(join(place, 'files'), { recursive: true })
  await writeFile(join(place, 'files', 'plan.txt'), 'the plan')
  await writeFile(join(place, 'outside.txt'), 'not for anybody')
  await symlink(join(place, 'outside.txt'), join(place, 'files', 'link.txt'))
})
after(() => rm(place, { recursive: true, force: true }))

onEachServer(
  '14 CSV.Import',
  (server) => {
    const bench = workbenchOn(server)
    const start = (text: string | Uint8Array, params: object, user = 'Administrator') =>
      callWithFiles(server, 'CSV.Import', [{ name: 'documents.csv', content: text, type: 'text/csv' }], { params }, { user })
    const ask = async (operation: string, id: string, user = 'Administrator'): Promise<Answered> => {
      const answer = await operationsOn(server, user)(operation, { input: id })
      return answer.status === 204 ? undefined : requireStatus(200, answer)
    }
    async function imported(text: string | Uint8Array, params: object, user?: string) {
      const answer = await start(text, params, user)
      assert.equal(answer.status, 200, answer.text)
      const id: string = jsonOf(answer).value
      await untilIdle(server)
      const log: Answered[] = (await ask('CSV.ImportLog', id)).value
      return { id, log, outcomes: log.map(({ line, status, localizedMessage }) => [line, status, localizedMessage.slice(19)]) }
    }
    const aFolder = async () => (await bench.create('Folder')).path as string
    const at = async (path: string): Promise<Answered> =>
      requireStatus(200, await server.as('Administrator').get(`/path${path}`, { properties: '*' }))

    test('is over when its job is given up', async () => {
      const { id } = await imported('name,type\none,File\n', { path: await aFolder() })
      const { services } = server
      const repository = homeOf(services.repositories)
      await server.asSystem(async ({ tx, now }) => {
        const record = await findImport(tx, id, now)
        if (record !== undefined) await storeImport(tx.transient, { ...record, state: 'RUNNING' }, now)
      })
      await createImportJob(services, { folder: undefined, legacyDates: false }).tellParked?.({ id }, repository)
      assert.equal((await ask('CSV.ImportStatus', id)).value.complete, true)
      const { line, status, message } = (await ask('CSV.ImportLog', id)).value.at(-1)
      assert.deepEqual([line, status, message], [2, 'ERROR', 'Internal Server Error'])
    })

    test('mails the caller what came of it, if that was asked for', async () => {
      const path = await aFolder()
      await server.addUser('accountant', ['members'])
      const user = { 'entity-type': 'user', id: 'accountant', properties: { email: 'accountant@example.org' } }
      requireStatus(200, await server.as('Administrator').put('/user/accountant', user))
      await bench.setAcls((await at(path)).uid, [{ name: 'local', aces: [grant('accountant', 'Everything')] }])
      const text = 'name,type,dc:title\none,File,One\ntwo,Nothing,<b>Two</b>\n'
      const mails = async () => {
        const names = await readdir(join(place, 'mail')).catch(() => [])
        return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(place, 'mail', name)))))
      }
      await imported(text, { path }, 'accountant')
      assert.deepEqual(await mails(), [])
      await imported(text.replace('one', 'three'), { path, sendReport: true }, 'accountant')
      const [report, ...others] = await mails()
      await rm(join(place, 'mail'), { recursive: true })
      assert.deepEqual([report?.to?.[0]?.address, others], ['accountant@example.org', []])
      assert.match(report?.subject ?? '', /CSV import of documents\.csv: 1 of 2 lines/)
      assert.match(report?.text ?? '', /Imported: 1\nSkipped: 0\nNot imported: 1\n[\s\S]*3: .*Nothing/)
      await imported('type\n', { path, sendReport: true }, 'accountant')
      assert.match((await mails())[0]?.text ?? '', /Not imported: 1[\s\S]*names no column name/)
      await rm(join(place, 'mail'), { recursive: true })
    })

    test('makes documents of lines, with texts, lists, dates, numbers and what has parts', async () => {
      const path = await aFolder()
      const { outcomes, id } = await imported(
        [
          '\uFEFFname,type,dc:title,dc:subjects,dc:expired,dc:description,files:files',
          'one,File,"First, ""the"" one",art/comics|art/culture,2031-12-31,"two',
          'lines",',
          'two,Folder,Second,,,,',
          'two/three,Note,Third,,,',
        ].join('\r\n'),
        { path },
      )
      assert.deepEqual(outcomes, [
        [2, 'SUCCESS', 'documentCreated'],
        [3, 'SUCCESS', 'documentCreated'],
        [4, 'SUCCESS', 'documentCreated'],
      ])
      const { type, properties } = await at(`${path}/one`)
      assert.deepEqual(
        [type, properties['dc:title'], properties['dc:subjects'], properties['dc:expired'], properties['dc:description']],
        ['File', 'First, "the" one', ['art/comics', 'art/culture'], '2031-12-31T00:00:00.000Z', 'two\r\nlines'],
      )
      assert.equal((await at(`${path}/two/three`)).title, 'Third')
      assert.deepEqual((await ask('CSV.ImportResult', id)).value, {
        totalLineCount: 3,
        successLineCount: 3,
        skippedLineCount: 0,
        errorLineCount: 0,
      })
    })

    test('answers the status, the result and the log as clients know them', async () => {
      const path = await aFolder()
      const { id, log } = await imported('name,type\na,File\n', { path })
      assert.deepEqual(await ask('CSV.ImportStatus', id), {
        'entity-type': 'org.platform.ecm.csv.core.CSVImportStatus',
        value: {
          state: 'COMPLETED',
          numberOfProcessedDocument: 1,
          totalNumberOfDocument: 1,
          complete: true,
          running: false,
          scheduled: false,
          positionInQueue: 0,
          queueSize: 0,
        },
      })
      assert.equal((await ask('CSV.ImportResult', id))['entity-type'], 'org.platform.ecm.csv.core.CSVImportResult')
      assert.deepEqual(log, [
        {
          line: 2,
          status: 'SUCCESS',
          message: `${path}/a was created.`,
          localizedMessage: 'label.csv.importer.documentCreated',
          localizedMessageParams: [`${path}/a`],
          success: true,
          skipped: false,
          error: false,
        },
      ])
      assert.equal(await ask('CSV.ImportStatus', 'unknown'), undefined)
    })

    test('changes what is there, whatever type the line says, and leaves alone what its cells say nothing of', async () => {
      const path = await aFolder()
      await bench.create('File', { 'dc:title': 'before', 'dc:description': 'stays' }, { parent: path, name: 'there' })
      const { outcomes } = await imported('name,type,dc:title,dc:description\nthere,Nonsense,after,\n', { path })
      assert.deepEqual(outcomes, [[2, 'SUCCESS', 'documentUpdated']])
      const { properties } = await at(`${path}/there`)
      assert.deepEqual([properties['dc:title'], properties['dc:description']], ['after', 'stays'])
    })

    test('says of each line what is wrong with it, makes nothing of that line, and goes on', async () => {
      const path = await aFolder()
      await bench.create('File', {}, { parent: path, name: 'file' })
      const { outcomes } = await imported(
        [
          'name,type,dc:title,dc:expired,no:field,note:note,file:content,ecm:lifeCycleState,ecm:uuid,dc:subjects',
          ',File',
          'a,',
          'a,Nonsense',
          'nowhere/a,File',
          'file/a,File',
          'a,Domain',
          'a,File,x,yesterday',
          'a,File,x,,value',
          'a,File,x,,,text',
          'a,File,x,,,,missing.txt',
          'a,File,x,,,,../outside.txt',
          'a,File,x,,,,link.txt',
          'a,File,x,,,,,nonsense',
          'a,File,x,,,,,deleted',
          'a,File,x,,,,,,some-id',
          '../a,File,x',
          ',,,',
          'a,File,x,,,,,,,,,too,many',
          'good,File,x',
        ].join('\n'),
        { path },
      )
      assert.deepEqual(
        outcomes.map(([, status, key]) => `${status} ${key}`),
        [
          'ERROR missingNameValue',
          'ERROR missingTypeValue',
          'ERROR notExistingType',
          'ERROR parentDoesNotExist',
          'ERROR notAllowedSubType',
          'ERROR notAllowedSubType',
          'ERROR cannotConvertFieldValue',
          'ERROR notExistingField',
          'ERROR notExistingField',
          'ERROR notExistingFile',
          'ERROR notExistingFile',
          'ERROR notExistingFile',
          'ERROR cannotConvertFieldValue',
          'ERROR cannotConvertFieldValue',
          'ERROR unableToCreate',
          'ERROR unableToCreate',
          'SKIPPED emptyLine',
          'ERROR errorImportingLine',
          'SUCCESS documentCreated',
        ],
      )
      assert.equal((await server.as('Administrator').get(`/path${path}/a`)).status, 404)
    })

    test('takes files from the folder of the server and states of the lifecycle', async () => {
      const path = await aFolder()
      const { outcomes } = await imported('name,type,file:content,ecm:lifeCycleState\na,File,plan.txt,approved\n', { path })
      assert.deepEqual(outcomes, [[2, 'SUCCESS', 'documentCreated']])
      const { state, properties } = await at(`${path}/a`)
      assert.deepEqual([state, properties['file:content'].name, properties['file:content'].length], ['approved', 'plan.txt', '8'])
    })

    test('refuses files without a header, without a column name, and lines without an end', async () => {
      const path = await aFolder()
      const rows: readonly [text: string, key: string][] = [
        ['', 'emptyFile'],
        ['type,dc:title\nFile,x\n', 'missingNameColumn'],
        ['name,name\na,b\n', 'errorDuringImport'],
        [`name,type\n"${'x'.repeat(5_100_000)}`, 'errorDuringImport'],
        [`name\n${','.repeat(3_000)}`, 'errorDuringImport'],
      ]
      for (const [text, key] of rows) {
        const { outcomes } = await imported(text, { path })
        assert.deepEqual(
          outcomes.map(([, status, found]) => [status, found]),
          [['ERROR', key]],
        )
      }
    })

    test('goes on over many batches, each line by itself', async () => {
      const path = await aFolder()
      const lines = Array.from({ length: 120 }, (_, index) => `doc-${index},${index % 10 === 3 ? 'Nonsense' : 'File'},t${index}`)
      const { id } = await imported(['name,type,dc:title', ...lines].join('\n'), { path })
      const { value } = await ask('CSV.ImportResult', id)
      assert.deepEqual([value.totalLineCount, value.successLineCount, value.errorLineCount], [120, 108, 12])
      const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${path}/@children?pageSize=200`))
      assert.equal(entries.length, 108)
    })

    describe('as an import', () => {
      test('keeps ids, creators and dates, and has who made a document among its contributors', async () => {
        const path = await aFolder()
        const id = crypto.randomUUID()
        const text = `name,type,ecm:uuid,dc:created,dc:creator\na,File,${id},2001-02-03T04:05:06.000Z,ann\nb,File,${id},,\n`
        const { outcomes } = await imported(text, { path, documentMode: true })
        assert.deepEqual(outcomes, [
          [2, 'SUCCESS', 'documentCreated'],
          [3, 'SKIPPED', 'documentAlreadyExists'],
        ])
        const { uid, properties } = await at(`${path}/a`)
        assert.deepEqual(
          [uid, properties['dc:created'], properties['dc:creator'], properties['dc:contributors']],
          [id, '2001-02-03T04:05:06.000Z', 'ann', ['ann']],
        )
      })

      test('is for administrators', async () => {
        await server.addUser('ina', ['members'])
        assertCallRefused(await start('name\n', { path: await aFolder(), documentMode: true }, 'ina'), 403, /Only administrators/)
      })
    })

    describe('somebody without all rights', () => {
      before(() => server.addUser('una', ['members']))

      test('makes and changes no more than they may, and learns of no folder they may not see', async () => {
        const [mine, theirs] = [await aFolder(), await aFolder()]
        const { uid } = await at(mine)
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('una', 'ReadWrite')] }])
        const hidden = await bench.create('Folder', {}, { parent: mine, name: 'hidden' })
        await bench.restrict(hidden.uid)
        const { outcomes, id } = await imported(
          'name,type,dc:title\na,File,x\nhidden/a,File,x\nhidden,,x\n',
          { path: mine },
          'una',
        )
        assert.deepEqual(outcomes, [
          [2, 'SUCCESS', 'documentCreated'],
          [3, 'ERROR', 'parentDoesNotExist'],
          [4, 'ERROR', 'unableToUpdate'],
        ])
        const other = await imported('name,type\na,File\n', { path: theirs }, 'una')
        assert.deepEqual(other.outcomes, [[2, 'ERROR', 'unableToCreate']])
        assert.equal((await ask('CSV.ImportStatus', id, 'una')).value.state, 'COMPLETED')
      })

      test('is told nothing of imports of others, and needs a folder that they may read', async () => {
        const path = await aFolder()
        const { id } = await imported('name,type\na,File\n', { path })
        for (const operation of ['CSV.ImportStatus', 'CSV.ImportResult', 'CSV.ImportLog']) {
          assert.equal(await ask(operation, id, 'una'), undefined)
        }
        await bench.restrict((await at(path)).uid)
        assertCallRefused(await start('name\n', { path }, 'una'), 403, /Privilege 'Read'/)
        assertCallRefused(await start('name\n', { path: '/nowhere' }, 'una'), 404, /nowhere/)
        assert.equal((await start('name\n', {})).status, 400)
      })
    })
  },
  { settings: { csvBlobsFolder: join(place, 'files'), mailFolder: join(place, 'mail') } },
)
