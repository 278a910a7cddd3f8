import { definePlugin } from '../../plugin/define-plugin.ts'
import { directoryEntryEntity } from './directory-entry-entity.ts'
import { vocabularies } from './vocabularies.ts'

/** The built-in vocabularies, and how entries of directories are shown. */
export default definePlugin({ name: 'directories', directories: vocabularies, entityWriters: [directoryEntryEntity] })
