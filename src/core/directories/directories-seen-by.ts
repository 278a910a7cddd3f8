import type { DirectoryReader } from '../../store/directories.ts'
import type { Session } from '../session.ts'

/** What the session sees of the directories, also when it is one of a repository that does not hold them. */
export function directoriesSeenBy({ repository, reader }: Session): DirectoryReader {
  const { store } = repository.directories
  return repository.store === store ? reader.directories : store.reader.directories
}
