/** What only agents need that ask their users something: forms, which of several things is meant, whether to do something, a person. */
export { handoffWord } from '../../handoffs/words'
export { answerCall, askCall, refusedWord } from './ask-call'
export { askForm, takeForm } from './ask-form'
export { FORM_HELP, FORM_SCHEMA, readForm } from './read-form'
export { askWhich, findReadings, pickedOf } from './readings'
