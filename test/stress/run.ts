// `npm run stress -- kill --rounds 50`: what `npm test` tries a few times, as often as wanted and seeded.
// `npm run stress -- subtree --documents 100000`: what it tries with a small tree, with a large one, and what a row costs.
// `npm run stress -- rights --clients 8`, `… -- subtree --clients 8`: so many clients who change one tree together, without a deadlock.
//    With `--workers 2` two processes serve them; `rights` and `histories` then go through two stores by turns.
// `npm run stress -- queries --rounds 20000`: random queries about random documents, on both engines and by the definition.
// `npm run stress -- files-kill --rounds 200`: servers killed while files come in; `files-large --megabytes 2000`: one large file.
// `npm run stress -- backup --rounds 20`: a server under writers and a collection backed up, some killed, and each restored to a state that
//    there was; `--workers 2`.
// `npm run stress -- archive --documents 100000 --rounds 5`: so many documents exported, imported by commands that are killed, and compared.
// `npm run stress -- copy --documents 1000000 --files 100000`: so many documents copied from SQLite to PostgreSQL and S3 and back, by commands
//    of which some are killed, and compared.
// `npm run stress -- deployment --minutes 30 --rate 200`: two servers on a PostgreSQL with a replica and an object store, behind a balancer,
//    one after the other of which is killed under load.
// `npm run stress -- delivery-kill --rounds 100`: servers killed while they deliver events to a receiver.
// `npm run stress -- delivery-queue --documents 100000`: so many events that wait, delivered in flat memory.
// `npm run stress -- operations --rounds 50000`: random requests to operations; `bulk`: many documents changed in the background.
// `npm run stress -- mail --rounds 20`: servers killed while they send mail, of which none is lost.
// `npm run stress -- connections --connections 5000`: connections that are slow or silent, with others' requests beside them.
// `npm run stress -- same-answers`: 20,000 requests to two servers that differ only in what the user may not read.
// `npm run stress -- fresh-answers --workers 2`: what running processes answer after random changes, and what a fresh one does.
// `npm run stress -- next-request --workers 2`: rights and documents changed under the eyes of readers, who must never see what is over.
// `npm run stress -- memory --documents 25000 --rounds 600`: what a process holds after so many seconds of reads, writes and searches.
// `npm run stress -- processes --rounds 5 --seconds 3`: what requests cost one worker process and two; `--busy 4`: on a busy machine.
// `npm run stress -- tails --documents 10000`: how long look-ups take while others create, upload, search and read long pages.
// `npm run stress -- guesses --rounds 10000`: guesses at one password through two processes; few are looked at.
// `npm run stress -- live-events --rounds 100`: how soon clients of two processes hear of a commit, what 1,000 idle ones cost, and rights that
//    change while people listen.
// `npm run stress -- workflow-race --rounds 1000`: three requests complete one task at once; `workflow-kill --rounds 200`: servers killed
//    while tasks are completed; `workflow-tasks --documents 10000`: the task list of one user beside so many tasks of others.
// `npm run stress -- console --documents 50000`: a folder of so many children and the first view in a real browser; `console-screens`: every
//    screen in four looks, and each of its requests failing; `console-build`.
// `npm run stress -- administration`: the lists of administrators with 100,000 users, tokens and agreements, a million audit entries and
//    10,000 jobs, in a real browser.
// `npm run stress -- capacity --documents 1000000 --only audit`: what documents, versions, rights, texts, audit and files take, and how long
//    requests do, as there are more of them; docs/capacity.md has the figures.
// `npm run stress -- greedy`: requests of an ordinary user that try to take the whole server.
// `npm run stress -- conversions --rounds 1000`: so many files of many kinds imported, converted, and documents read meanwhile.
// `npm run stress -- hostile-files --rounds 5000`: conversions of files that were made to do harm, and of so many damaged ones.
// A failed run prints its seed; `--seed` repeats its choices, `--engine` keeps to one engine.
import { parseArgs } from 'node:util'
import { type EngineName, engines } from '../support/database-place.ts'
import { stressAdministration } from './administration.ts'
import { stressArchive } from './archive.ts'
import { stressBackups } from './backup.ts'
import { stressByBulk } from './bulk.ts'
import { stressCapacity } from './capacity.ts'
import { stressConnections } from './connections.ts'
import { stressConsole, stressConsoleBuild, stressConsoleScreens } from './console.ts'
import { stressConversions } from './conversions.ts'
import { stressCopy } from './copy.ts'
import { stressDeliveryByKilling } from './delivery-kill.ts'
import { stressDeliveryQueue } from './delivery-queue.ts'
import { stressDeployment } from './deployment.ts'
import { stressFilesByKilling } from './files-kill.ts'
import { stressByLargeFile } from './files-large.ts'
import { stressFreshAnswers } from './fresh-answers.ts'
import { stressByGreed } from './greedy.ts'
import { stressByGuesses } from './guesses.ts'
import { stressByHeavyQuery } from './heavy-query.ts'
import { stressHistories } from './histories.ts'
import { stressHostileFiles } from './hostile-files.ts'
import { stressByKilling } from './kill.ts'
import { stressLiveEvents } from './live-events.ts'
import { stressMailByKilling } from './mail.ts'
import { stressMemory } from './memory.ts'
import { stressNextRequest } from './next-request.ts'
import { stressNxqlParser } from './nxql-parser.ts'
import { stressByClients } from './one-tree.ts'
import { stressOperations } from './operations.ts'
import { stressByProcesses } from './processes.ts'
import { stressQueries } from './queries.ts'
import { stressRights } from './rights.ts'
import { stressSameAnswers } from './same-answers.ts'
import { stressBySubtree } from './subtree.ts'
import { stressTails } from './tails.ts'
import { stressWorkflowsByKilling } from './workflow-kill.ts'
import { stressByRaces } from './workflow-race.ts'
import { stressTaskLists } from './workflow-tasks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    documents: { type: 'string', default: '100000' },
    files: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '200' },
    clients: { type: 'string' },
    workers: { type: 'string', default: '1' },
    connections: { type: 'string', default: '5000' },
    megabytes: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '3' },
    busy: { type: 'string', default: '0' },
    s3: { type: 'boolean', default: false },
    only: { type: 'string' },
    texts: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', multiple: true, default: [...engines] },
  },
})

const seed = Number(values.seed)
const documents = Number(values.documents)
const roundsOr = (usual: number) => Number(values.rounds ?? usual)
const rounds = roundsOr(20)
const together = (way: 'rights' | 'subtree') =>
  values.clients === undefined
    ? undefined
    : (engine: EngineName) =>
        stressByClients(engine, {
          way,
          clients: Number(values.clients),
          workers: Number(values.workers),
          changes: roundsOr(500),
          seed,
        })
const stresses: ReadonlyMap<string, (engine: EngineName) => Promise<boolean>> = new Map([
  ['backup', (engine) => stressBackups(engine, rounds, seed, Number(values.workers))],
  ['administration', stressAdministration],
  ['archive', (engine) => stressArchive(engine, Number(values.documents), roundsOr(5), seed)],
  ['bulk', (engine) => stressByBulk(engine, Number(values.documents))],
  ['capacity', (engine) => stressCapacity(engine, Number(values.documents), seed, values.only)],
  ['connections', (engine) => stressConnections(engine, Number(values.connections))],
  ['console', (engine) => stressConsole(engine, Math.min(50_000, Number(values.documents)))],
  ['console-screens', stressConsoleScreens],
  ['conversions', (engine) => stressConversions(engine, roundsOr(1_000))],
  ['delivery-kill', (engine) => stressDeliveryByKilling(engine, roundsOr(100), seed)],
  ['delivery-queue', (engine) => stressDeliveryQueue(engine, Number(values.documents))],
  ['files-kill', (engine) => stressFilesByKilling(engine, roundsOr(200), seed)],
  ['files-large', (engine) => stressByLargeFile(engine, { megabytes: Number(values.megabytes), seed, usesBucket: values.s3 })],
  ['fresh-answers', (engine) => stressFreshAnswers(engine, roundsOr(100), seed, Number(values.workers))],
  ['greedy', stressByGreed],
  ['guesses', (engine) => stressByGuesses(engine, roundsOr(10_000))],
  ['heavy-query', (engine) => stressByHeavyQuery(engine, Number(values.documents))],
  ['kill', (engine) => stressByKilling(engine, rounds, seed)],
  ['live-events', (engine) => stressLiveEvents(engine, roundsOr(100), seed)],
  ['mail', (engine) => stressMailByKilling(engine, rounds, seed)],
  ['memory', (engine) => stressMemory(engine, Number(values.documents), roundsOr(600), seed)],
  ['next-request', (engine) => stressNextRequest(engine, roundsOr(100), seed, Number(values.workers))],
  ['operations', (engine) => stressOperations(engine, roundsOr(50_000), seed)],
  [
    'processes',
    (engine) =>
      stressByProcesses(engine, {
        documents: Math.min(1_000, Number(values.documents)),
        rounds: roundsOr(5),
        seconds: Number(values.seconds),
        busyPrograms: Number(values.busy),
      }),
  ],
  ['rights', together('rights') ?? ((engine) => stressRights(engine, rounds, seed, Number(values.workers)))],
  ['same-answers', (engine) => stressSameAnswers(engine, roundsOr(20_000), seed)],
  ['subtree', together('subtree') ?? ((engine) => stressBySubtree(engine, Number(values.documents), seed))],
  ['tails', (engine) => stressTails(engine, Number(values.documents), seed)],
  ['workflow-kill', (engine) => stressWorkflowsByKilling(engine, roundsOr(200), seed)],
  ['workflow-race', (engine) => stressByRaces(engine, roundsOr(1_000))],
  ['workflow-tasks', (engine) => stressTaskLists(engine, Math.min(10_000, Number(values.documents)))],
])
/** These run once: they compare the engines, so that each of them takes part, or need none. */
const comparisons: ReadonlyMap<string, () => Promise<boolean>> = new Map([
  ['console-build', stressConsoleBuild],
  ['copy', () => stressCopy({ documents, files: Number(values.files ?? Math.ceil(documents / 10)), seed })],
  ['deployment', () => stressDeployment({ minutes: Number(values.minutes), rate: Number(values.rate), seed })],
  ['histories', () => stressHistories(rounds, seed, Number(values.workers))],
  ['hostile-files', () => stressHostileFiles({ seed, rounds: roundsOr(5_000) })],
  ['nxql-parser', async () => stressNxqlParser(Number(values.texts), seed)],
  ['queries', () => stressQueries(rounds, seed)],
])
const stress = stresses.get(positionals[0] ?? '')
const comparison = comparisons.get(positionals[0] ?? '')
if (stress === undefined && comparison === undefined) {
  console.error(
    `Which one? npm run stress -- ${[...stresses.keys(), ...comparisons.keys()].join('|')} [--rounds 20] [--clients 8] [--documents 100000] [--files 10000] [--minutes 30] [--rate 200] [--connections 5000] [--megabytes 2000] [--s3] [--texts 200000] [--seconds 3] [--busy 0] [--seed 1] [--engine sqlite]`,
  )
  process.exit(2)
}

const chosen = engines.filter((engine) => values.engine.includes(engine))
let isSound = (await comparison?.()) ?? true
if (stress !== undefined) for (const engine of chosen) isSound = (await stress(engine)) && isSound
process.exitCode = isSound ? 0 : 1
