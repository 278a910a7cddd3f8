import { setTimeout as pause } from 'node:timers/promises'
import type { DatabasePlace } from '../../support/database-place.ts'
import {
  eventually,
  type NotificationReceiver,
  type ReceivedNotification,
  startNotificationReceiver,
} from '../../support/notification-receiver.ts'
import type { Program } from '../../support/program.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import type { Random } from '../kill/random.ts'

const scope = { project: 'acme-ops', region: 'us-east1' }
const endpointsPath = `api/v1/projects/${scope.project}/regions/${scope.region}/notificationEndpoints`
const variables = {
  QUIRE_NOTIFICATION_DELIVERY_ENABLED: 'true',
  QUIRE_NOTIFICATION_SUBSCRIPTIONS: JSON.stringify([{ ...scope, endpoint: 'killed', events: ['documentCreated'] }]),
  QUIRE_NOTIFICATION_DELIVERY_INSECURE_HOSTS: '127.0.0.1',
  QUIRE_NOTIFICATION_DELIVERY_ALLOWED_ADDRESSES: '127.0.0.0/8',
  QUIRE_NOTIFICATION_DELIVERY_LEASE: '1s',
}
const headers = { authorization: `Basic ${btoa('Administrator:Administrator')}`, 'content-type': 'application/json' }
const clients = 3

/** What clients were told is done, each in its order, and who is told of it. */
export interface DeliveryJournal {
  readonly receiver: NotificationReceiver
  readonly acknowledged: string[][]
}

/** @param fails how often the receiver says that it cannot be reached, from 0 to 1 */
export async function openDeliveryJournal(random: Random, fails = 0.1): Promise<DeliveryJournal> {
  const receiver = await startNotificationReceiver({ status: () => (random.next() < fails ? 14 : 0) })
  return { receiver, acknowledged: Array.from({ length: clients }, () => []) }
}

const start = (place: DatabasePlace) => startServerProgram(place, [], variables)

/** Adds the endpoint, and waits until it is delivered to. */
export async function subscribe(place: DatabasePlace, { receiver }: DeliveryJournal): Promise<void> {
  const program = await start(place)
  const grpcSettings = { endpoint: `127.0.0.1:${receiver.port}`, retryDurationSec: 1_200 }
  const body = JSON.stringify({ name: 'killed', grpcSettings })
  const { status } = await fetch(`${program.url}${endpointsPath}`, { method: 'POST', headers, body })
  if (status !== 200) throw new Error(`The endpoint was answered with ${status}`)
  const count = "SELECT count(*) AS begun FROM outbox_readers WHERE name LIKE 'grpc/%'"
  await eventually(async () => Number((await place.query(count))[0]?.['begun']) === 1, 'the endpoint is delivered to')
  await stopProgram(program)
}

/** Longer than any machine takes: a round ends when it is done. */
const patienceSeconds = 600

/** Kills a server while clients write, and gives what is wrong with what the receiver has been told once another server has run. */
export async function killWhileDelivering(
  place: DatabasePlace,
  journal: DeliveryJournal,
  random: Random,
): Promise<readonly string[]> {
  const killed = await start(place)
  const count = () => journal.acknowledged.flat().length
  const wanted = count() + random.between(1, 40)
  let isRefused = false
  const writing = Promise.all(journal.acknowledged.map((uids) => writeUntilRefused(killed, uids))).then(() => {
    isRefused = true
  })
  // By what was done and not by the clock, so that a busy machine is killed in the middle of it, too.
  await eventually(() => isRefused || count() >= wanted, 'enough was written', patienceSeconds)
  await pause(random.next() * 50)
  killed.kill('SIGKILL')
  await killed.ended
  await writing
  const next = await start(place)
  const all = journal.acknowledged.flat()
  const isTold = () => {
    const told = new Set(journal.receiver.received.map(({ documentId }) => documentId))
    return all.every((uid) => told.has(uid))
  }
  const isWhole = await eventually(isTold, 'all came', patienceSeconds).then(
    () => true,
    () => false,
  )
  await stopProgram(next)
  return isWhole ? findDisorder(journal) : [`an acknowledged event was not delivered within ${patienceSeconds} s`]
}

/** One request after the other, so that their order is known. */
async function writeUntilRefused({ url }: Program, uids: string[]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: `f${turn}` })
    try {
      const response = await fetch(`${url}api/v1/path/default-domain/workspaces`, { method: 'POST', headers, body })
      if (response.status !== 201) return
      uids.push(((await response.json()) as { uid: string }).uid)
    } catch {
      return
    }
  }
}

/** What was told first counts: after a crash the last events come once more. */
function findDisorder({ receiver, acknowledged }: DeliveryJournal): readonly string[] {
  const places = new Map<string, number>()
  for (const [index, { documentId }] of receiver.received.entries()) if (!places.has(documentId)) places.set(documentId, index)
  const isInOrder = (uids: readonly string[]) =>
    uids.every((uid, index) => index === 0 || (places.get(uids[index - 1] ?? '') ?? -1) < (places.get(uid) ?? -1))
  const ids = new Map<string, string>()
  const isOther = ({ eventId, documentId }: ReceivedNotification) => {
    const before = ids.get(eventId) ?? documentId
    ids.set(eventId, documentId)
    return before !== documentId
  }
  return [
    ...acknowledged.filter((uids) => !isInOrder(uids)).map(() => 'events of one client came in another order'),
    ...receiver.received.filter(isOther).map(({ eventId }) => `${eventId} stands for two events`),
  ]
}
