import { defineWords, type Say } from '../../words/words.ts'
import { spelledOut } from '../documents/type-words.ts'

export const useHistoryWords = defineWords(
  {
    history: 'History',
    empty: 'Nothing is known of its past',
    by: '{what}, by {who}',
    more: 'Show earlier',
    activity: 'Activity',
    all: 'Show all',
  },
  {
    history: 'Historique',
    empty: 'On ne sait rien de son passé',
    by: '{what}, par {who}',
    more: 'Afficher plus',
    activity: 'Activité',
    all: 'Tout afficher',
  },
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
    addedToCollection: 'Put into a collection',
    removedFromCollection: 'Taken out of a collection',
    documentTagUpdated: 'Tags changed',
    documentPublished: 'Published',
    documentUnpublished: 'Withdrawn',
    commentUpdated: 'Comment changed',
    commentRemoved: 'Comment removed',
    documentCheckedOut: 'Changed since its version',
    aboutToRemove: 'Being removed',
    documentRemoved: 'Removed',
    afterWorkflowStarted: 'Workflow started',
    afterWorkflowFinish: 'Workflow ended',
    afterWorkflowTaskEnded: 'Task completed',
    workflowCanceled: 'Workflow cancelled',
    documentProxyPublished: 'Published',
    subscriptionAssigned: 'Watched',
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
    addedToCollection: 'Ajouté à une collection',
    removedFromCollection: 'Retiré d’une collection',
    documentTagUpdated: 'Mots-clés modifiés',
    documentPublished: 'Publié',
    documentUnpublished: 'Dépublié',
    commentUpdated: 'Commentaire modifié',
    commentRemoved: 'Commentaire supprimé',
    documentCheckedOut: 'Modifié depuis sa version',
    aboutToRemove: 'En cours de suppression',
    documentRemoved: 'Supprimé',
    afterWorkflowStarted: 'Workflow lancé',
    afterWorkflowFinish: 'Workflow terminé',
    afterWorkflowTaskEnded: 'Tâche terminée',
    workflowCanceled: 'Workflow annulé',
    documentProxyPublished: 'Publié',
    subscriptionAssigned: 'Suivi',
  },
)

export function useEventNames(): (event: string) => string {
  const say = useKnownEvents() as Say
  return (event) => {
    const known = say(event)
    return known === event ? spelledOut(event.replaceAll('_', ' ')) : known
  }
}
