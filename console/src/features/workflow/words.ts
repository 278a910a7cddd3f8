import { defineWords, type Say } from '../../words/words.ts'
import { spelledOut } from '../documents/type-words.ts'

export const useWorkflowWords = defineWords(
  {
    start: 'Start a workflow',
    started: '{title} has started',
    underWay: 'Under way',
    none: 'No workflow is under way',
    noneHint: 'A review asks people to look at this document and keeps track of what they say.',
    noneOffered: 'None can be started on this document as it is now.',
    startOne: 'Start {title}',
    startedBy: 'Started by',
    waitsFor: 'Waits for',
    waitsForNobody: 'nobody that you may know of',
    cancel: 'Cancel the workflow',
    cancelTitle: 'Cancel {title}?',
    cancelSentence: 'Its open tasks end, and nobody is asked any more. What was said so far stays in the history.',
    cancelDo: 'Cancel it',
    keep: 'Let it go on',
    cancelled: '{title} was cancelled',
    graph: 'Steps of {title}. Now: {now}',
    graphOfModel: 'Steps of {title}',
    showGraph: 'Show the steps',
    steps: 'Steps',
  },
  {
    start: 'Lancer un workflow',
    started: '{title} : lancé',
    underWay: 'En cours',
    none: 'Aucun workflow n’est en cours',
    noneHint: 'Une relecture demande à des personnes de regarder ce document et retient ce qu’elles en disent.',
    noneOffered: 'Aucun ne peut être lancé sur ce document dans son état actuel.',
    startOne: 'Lancer : {title}',
    startedBy: 'Lancé par',
    waitsFor: 'Attend',
    waitsForNobody: 'personne que vous puissiez connaître',
    cancel: 'Annuler le workflow',
    cancelTitle: 'Annuler {title} ?',
    cancelSentence:
      'Ses tâches ouvertes prennent fin et plus personne n’est sollicité. Ce qui a été dit reste dans l’historique.',
    cancelDo: 'L’annuler',
    keep: 'Le laisser continuer',
    cancelled: '{title} : annulé',
    graph: 'Étapes de {title}. Maintenant : {now}',
    graphOfModel: 'Étapes de {title}',
    showGraph: 'Afficher les étapes',
    steps: 'Étapes',
  },
)

const useKnownStates = defineWords(
  {
    ready: 'not yet',
    running: 'now',
    suspended: 'now',
    waiting: 'waits for others',
    done: 'done',
    canceled: 'cancelled',
    Start: 'Start',
    Stop: 'End',
  },
  {
    ready: 'pas encore',
    running: 'maintenant',
    suspended: 'maintenant',
    waiting: 'attend les autres',
    done: 'fait',
    canceled: 'annulé',
    Start: 'Début',
    Stop: 'Fin',
  },
)

/** What people call the state of a step, and the two steps that every workflow has. */
export function useStateNames(): (state: string) => string {
  const say = useKnownStates() as Say
  return (state) => {
    const known = say(state)
    return known === state ? spelledOut(state) : known
  }
}
