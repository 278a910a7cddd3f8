import { defineProblem } from '../../../base/problem.ts'

export const archiveDamaged = defineProblem(
  'archiveDamaged',
  'invalid',
  (of: { place: string; reason: string }) =>
    `${of.place} of the archive cannot be imported: ${of.reason}. Take another copy of it, or export it once more.`,
)

export const archiveUnsafe = defineProblem(
  'archiveUnsafe',
  'invalid',
  (of: { reason: string }) => `The archive is refused: ${of.reason}. Nothing was imported.`,
)

export const archiveTooNew = defineProblem(
  'archiveTooNew',
  'conflict',
  (of: { program: string; version: number; known: number }) =>
    `The archive has version ${of.version} of its form, written by Quire ${of.program}; this program reads up to ${of.known}. ` +
    'Nothing was imported. Install that version of Quire or a later one.',
)

export const archiveExists = defineProblem(
  'archiveExists',
  'conflict',
  (of: { path: string }) => `There is ${of.path} already. Name an archive that does not exist yet, or remove that one.`,
)
