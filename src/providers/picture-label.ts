/** The words before a picture, so that a model knows which exhibit it is. Its name is in the prompt, behind a fence. */
import type { CallPicture } from './provider.ts'

export const pictureLabel = ({ exhibit }: CallPicture): string => `Exhibit ${exhibit}:`

export const pictureAddress = ({ media, data }: CallPicture): string => `data:${media};base64,${data}`
