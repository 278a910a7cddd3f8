import { defineWords, type Say } from '../../words/words.ts'
import { spelledOut } from '../documents/type-words.ts'

export const useHistoryWords = defineWords(
  { history: 'History', empty: 'Nothing is known of its past', by: '{what}, by {who}', more: 'Show earlier' },
  { history: 'Historique', empty: 'On ne sait rien de son passé', by: '{what}, par {who}', more: 'Afficher plus' },
)

const useKnownEvents = defineWords(
  {
    documentCreated: 'Created',
    documentModified: 'Changed',
    documentMoved: 'Moved',
    documentDuplicated: 'Copied',
    documentCreatedByCopy: 'Created by copying',
    documentLocked: 'Locked',
    documentUnlocked: 'Unlocked',
    documentCheckedIn: 'Version made',
    documentRestored: 'Version restored',
    documentTrashed: 'Put into the trash',
    documentUntrashed: 'Taken out of the trash',
    documentSecurityUpdated: 'Permissions changed',
    lifecycle_transition_event: 'State changed',
    download: 'Downloaded',
    commentAdded: 'Comment added',
  },
  {
    documentCreated: 'Créé',
    documentModified: 'Modifié',
    documentMoved: 'Déplacé',
    documentDuplicated: 'Copié',
    documentCreatedByCopy: 'Créé par copie',
    documentLocked: 'Verrouillé',
    documentUnlocked: 'Déverrouillé',
    documentCheckedIn: 'Version créée',
    documentRestored: 'Version restaurée',
    documentTrashed: 'Mis à la corbeille',
    documentUntrashed: 'Sorti de la corbeille',
    documentSecurityUpdated: 'Permissions modifiées',
    lifecycle_transition_event: 'État modifié',
    download: 'Téléchargé',
    commentAdded: 'Commentaire ajouté',
  },
)

export function useEventNames(): (event: string) => string {
  const say = useKnownEvents() as Say
  return (event) => {
    const known = say(event)
    return known === event ? spelledOut(event.replaceAll('_', ' ')) : known
  }
}
