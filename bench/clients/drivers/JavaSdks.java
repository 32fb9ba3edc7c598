import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import dev.langchain4j.model.openai.OpenAiChatModel;

/** OpenAI's and Anthropic's Java SDKs and LangChain4j; `validate` insists on every field that the types promise. BASE_URL and KEY come from the environment. */
public class JavaSdks {
  static final String BASE = System.getenv("BASE_URL");
  static final String KEY = System.getenv("KEY");
  static final String HELLO = "[[sandbox:reply=All lines are clear.]]";
  static final String ALL_CLEAR = "All lines are clear.";
  static int failures = 0;

  interface Work {
    void run() throws Exception;
  }

  static void check(String name, Work work) {
    try {
      work.run();
      System.out.println("ok    " + name);
    } catch (Throwable error) {
      failures++;
      System.out.println("FAIL  " + name + ": " + error);
    }
  }

  static void equal(Object given, Object wanted) {
    if (!given.equals(wanted)) throw new AssertionError(given + " is not " + wanted);
  }

  public static class Person {
    public String name;
    public int age;
  }

  static OpenAIClient openAi(String key) {
    return OpenAIOkHttpClient.builder().baseUrl(BASE + "/v1").apiKey(key).maxRetries(0).build();
  }

  static void openAi() {
    OpenAIClient client = openAi(KEY);
    ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder().model("auto").addUserMessage(HELLO).build();
    check("create", () -> equal(client.chat().completions().create(chat).validate().choices().get(0).message().content().get(), ALL_CLEAR));
    check("stream", () -> {
      ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
      try (var stream = client.chat().completions().createStreaming(chat)) {
        stream.stream().forEach(chunk -> whole.accumulate(chunk.validate()));
      }
      equal(whole.chatCompletion().choices().get(0).message().content().get(), ALL_CLEAR);
    });
    check("structured", () -> {
      var params = ChatCompletionCreateParams.builder().model("auto").addUserMessage("Ada Lovelace is 36").responseFormat(Person.class).build();
      Person person = client.chat().completions().create(params).choices().get(0).message().content().get();
      equal(person.name + " " + person.age, "Ada Lovelace 36");
    });
    ResponseCreateParams response = ResponseCreateParams.builder().model("auto").input(HELLO).build();
    check("responses", () -> equal(textOf(client.responses().create(response).validate()), ALL_CLEAR));
    check("responses streamed", () -> {
      ResponseAccumulator whole = ResponseAccumulator.create();
      try (var stream = client.responses().createStreaming(response)) {
        stream.stream().forEach(event -> whole.accumulate(event.validate()));
      }
      equal(textOf(whole.response()), ALL_CLEAR);
    });
    check("embeddings", () -> client.embeddings().create(EmbeddingCreateParams.builder().model("auto").input("a signal").build()).validate());
    check("models", () -> client.models().list().data().forEach(model -> model.validate()));
    check("wrong key", () -> {
      try {
        openAi("pk_test_nobody").chat().completions().create(chat);
      } catch (UnauthorizedException refused) {
        return;
      }
      throw new AssertionError("It was answered.");
    });
  }

  static String textOf(com.openai.models.responses.Response response) {
    return response.output().get(0).message().get().content().get(0).outputText().get().text();
  }

  static void anthropic() {
    AnthropicClient client = AnthropicOkHttpClient.builder().baseUrl(BASE).apiKey(KEY).maxRetries(0).build();
    MessageCreateParams params = MessageCreateParams.builder().model("auto").maxTokens(500).addUserMessage(HELLO).build();
    check("anthropic: create", () -> equal(client.messages().create(params).validate().content().get(0).text().get().text(), ALL_CLEAR));
    check("anthropic: stream", () -> {
      MessageAccumulator whole = MessageAccumulator.create();
      try (var stream = client.messages().createStreaming(params)) {
        stream.stream().forEach(event -> whole.accumulate(event.validate()));
      }
      equal(whole.message().content().get(0).text().get().text(), ALL_CLEAR);
    });
    check("anthropic: token count", () ->
        client.messages().countTokens(MessageCountTokensParams.builder().model("auto").addUserMessage(HELLO).build()).validate());
    check("anthropic: models", () -> {
      for (var model : client.models().list().autoPager()) model.validate();
      client.models().retrieve("gpt-4o").validate();
    });
  }

  public static void main(String[] words) {
    openAi();
    anthropic();
    var model = OpenAiChatModel.builder().baseUrl(BASE + "/v1").apiKey(KEY).modelName("auto").build();
    check("LangChain4j", () -> equal(model.chat(HELLO), ALL_CLEAR));
    System.exit(failures == 0 ? 0 : 1);
  }
}
