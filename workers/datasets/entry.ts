import { answerCalls } from '../boundary/answer-calls.ts';
import { createDatasetApi } from './api.ts';

answerCalls('datasets', createDatasetApi());
