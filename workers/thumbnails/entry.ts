import { answerCalls } from '../boundary/answer-calls.ts';
import { createThumbnailApi } from './api.ts';

answerCalls('thumbnails', createThumbnailApi());
