import { type DirectoryDefinition, defineDirectory } from '../../core/directories/directory-definition.ts'
import { everyone } from '../../model/rights/principal.ts'

function vocabulary(name: string, isForAdministrators: boolean): DirectoryDefinition {
  return defineDirectory(name, {
    schema: 'vocabulary',
    dataFile: new URL(`./data/${name}.csv`, import.meta.url),
    labels: new URL(`./data/labels-${name}.json`, import.meta.url),
    ...(isForAdministrators && { permissions: { read: [everyone], write: [] } }),
  })
}

/** What rules may name. Actions are run as the server itself, so administrators alone say which there are. */
export const retentionVocabularies = [
  vocabulary('RetentionBegin', true),
  vocabulary('RetentionEnd', true),
  vocabulary('RetentionEvent', false),
]
