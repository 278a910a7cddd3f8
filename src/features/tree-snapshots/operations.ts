import type { OperationContext } from '../../automation/context.ts'
import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted } from '../../automation/parameter.ts'
import { findReadable, requireRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { parseVersioningOption, type VersioningOption } from '../../model/versioning.ts'
import { createSnapshot } from './create-snapshot.ts'
import type { Bounds } from './folder-tree.ts'
import { restoreSnapshot } from './restore-snapshot.ts'
import { noIncrement, notASnapshot } from './snapshot-mistakes.ts'
import { partsOf, snapshotFacet } from './snapshot-model.ts'

const category = 'Document'

/** The bound is that of the deployment. */
export function snapshotOperations(max: number): readonly Operation[] {
  const boundsIn = ({ budget }: OperationContext): Bounds => ({ max, budget })
  return [
    defineOperation({
      id: 'Document.CreateTreeSnapshot',
      label: 'Create snapshot',
      category,
      description:
        'Makes a version of the folder and of all below it that has changed, each naming those of what was in it. Gives that of the folder, which has the facet Snapshotable.',
      effect: 'writes',
      params: { 'versioning option': defaulted('string', 'MINOR', { values: ['MINOR', 'MAJOR'], widget: 'Option' }) },
      run: ({ each }) => [
        each('document', 'document', ({ id }, { session, context, params }) =>
          createSnapshot(session, id, { option: parseIncrement(params['versioning option']), bounds: boundsIn(context) }),
        ),
      ],
    }),
    defineOperation({
      id: 'Document.GetTreeSnapshotChildren',
      category,
      description: 'Gives the versions of what was in a folder, and its proxies, in its order; the input is a version of a tree.',
      effect: 'reads',
      params: {},
      run: ({ on }) => [
        on('document', 'documents', async (version, { session, context }) => {
          await requireRead(session, version)
          return context.budget.gather(everyPart(session, version))
        }),
      ],
    }),
    defineOperation({
      id: 'Document.RestoreTreeSnapshot',
      category,
      description: 'Makes a folder and all below it again what they were in the version of the tree that is the input.',
      effect: 'writes',
      params: {
        createVersion: defaulted('boolean', true, { description: 'Keeps what is overwritten as versions' }),
        trashOthers: defaulted('boolean', true, { description: 'Puts what was not in the tree then into the trash' }),
      },
      run: ({ on }) => [
        on('document', 'document', (version, { session, context, params }) =>
          restoreSnapshot(session, version, { ...params, bounds: boundsIn(context) }),
        ),
      ],
    }),
  ]
}

/** @throws invalidVersioningOption, noIncrement */
function parseIncrement(text: string): VersioningOption {
  const option = parseVersioningOption(text)
  if (option === 'none') throw noIncrement({})
  return option
}

const readAtOnce = 50

/** What the caller may not read is left out. */
async function* everyPart(session: Session, version: Document): AsyncGenerator<readonly Document[]> {
  if (!version.isVersion || !session.model.shapeOf(version).hasFacet(snapshotFacet)) throw notASnapshot(version)
  const ids = partsOf(version)
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const page: Document[] = []
    for (const id of ids.slice(start, start + readAtOnce)) {
      const part = await findReadable(session, id)
      if (part !== undefined) page.push(part)
    }
    yield page
  }
}
