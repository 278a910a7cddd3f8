import { type BulkTarget, listTarget, mostTakenBack, startBulk, startOnEach } from '../../api/bulk.ts'
import { quote } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { told } from '../problems/told.ts'
import { type RunningBulk, showBulk } from './running.ts'
import { useBulkWords } from './words.ts'

/** How to take back what is done to the documents, from what they are before; undefined where that cannot be done at once. */
type TakeBack = (before: readonly Document[]) => RunningBulk['undo']

// Each is a command of its own.
const mostFolders = 20

/** What is done with everything that a list has, in the background: the tray shows how far it is, and takes it back. */
export function useBulk(target: BulkTarget, count: number) {
  const say = useBulkWords()

  const start = async (label: string, [action, parameters]: readonly [string, object], takeBack?: TakeBack) => {
    // Before it is begun: afterwards nobody could tell them from what was there already.
    const before = takeBack === undefined || count > mostTakenBack ? undefined : await listTarget(target)
    const { commandId: id } = await startBulk(target, action, parameters)
    const undo = before && takeBack?.(before)
    showBulk({ id, label, ...(undo && { undo }) })
  }
  const operation = (operationId: string, parameters: object = {}) => ['automation', { operationId, parameters }] as const

  const untrash: TakeBack = (before) => async () => {
    const { commandId: id } = await startOnEach({ ids: idsOf(before), condition: 'ecm:isTrashed = 1' }, 'Document.Untrash')
    showBulk({ id, label: say('untrashing') })
  }
  const moveBackFrom =
    (folder: Document): TakeBack =>
    (before) => {
      const byFolder = Map.groupBy(before, ({ parentRef }) => parentRef ?? '')
      if (byFolder.size > mostFolders) return undefined
      return async () => {
        for (const [parent, documents] of byFolder) {
          const moved = { ids: idsOf(documents), condition: `ecm:parentId = ${quote(folder.uid)}` }
          const { commandId: id } = await startOnEach(moved, 'Document.Move', { target: parent })
          showBulk({ id, label: say('movingBack') })
        }
      }
    }

  return {
    canTakeBack: count <= mostTakenBack,
    exportTable: () => told(start(say('exporting', { count }), ['csvExport', { schemas: ['dublincore'] }])),
    trash: () => told(start(say('trashing', { count }), operation('Document.Trash'), untrash)),
    moveTo: (folder: Document) => {
      const label = say('moving', { count, folder: titleOf(folder) })
      told(start(label, operation('Document.Move', { target: folder.uid }), moveBackFrom(folder)))
    },
  }
}

const idsOf = (documents: readonly Document[]) => documents.map(({ uid }) => uid)
