export { Actor } from './actor'
/** The parts that screens are made of. */
export { Button, IconButton, LinkButton } from './button'
export { CallThisApi } from './call-this-api'
export { CheckList, type Choice, RadioGroup, Segmented, SelectField, SwitchField } from './choices'
export { CodeBlock, Copy } from './copy'
export { ConfirmDialog, Dialog } from './dialog'
export { Diff } from './diff'
export { dirOf } from './dir-of'
export { Conflict, type Editor, SaveBar, useEditor } from './editor'
export { KeyValues, Meter, SearchField, Time } from './facts'
export { FieldFrame, Fields, NumberField, SecretField, TextArea, TextField } from './fields'
export { FileField } from './file-field'
export { Icon, type IconName } from './icons'
export { type Column, ListView, Table } from './list-view'
export { Menu, type MenuItem } from './menu'
export { Page, type PageTab, Tabs } from './page'
export { useRefusedField } from './refused-field'
export { Said } from './said'
export { useSharedEditor } from './shared-editor'
export {
  Badge,
  Empty,
  Loadable,
  Loading,
  Notice,
  Problem,
  type Tone,
  useTold,
} from './states'
export { useToast } from './toast'
