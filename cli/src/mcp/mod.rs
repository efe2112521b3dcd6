//! `veridic mcp`: tools for language models over the Model Context Protocol, on standard input and output. `tools` lists the
//! tools, `arguments` parses calls, `answer` builds the answers, and `lines` carries the messages. Only the protocol is
//! written to standard output. A call cannot choose models, settings or files; a wrong argument is an error that the caller
//! can read and correct, and does not end the session.

mod answer;
mod arguments;
mod lines;
mod tools;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError};
use rmcp::{ServerHandler, ServiceExt};
use tokio::sync::Semaphore;
use veridic::Scorer;

use self::arguments::Call;
use self::lines::Lines;

/// The maximum number of calls computed at the same time. Others wait, so that a client cannot start an unlimited number of
/// threads.
const CALLS_TOGETHER: usize = 4;

/// The instructions that a client passes to its language model.
const INSTRUCTIONS: &str = "Veridic compares a text with its sources, claim by claim. Call `check` with the \
text and the sources that it should follow from, before you present an answer that is drawn from documents. It says \
whether the sources support a claim, not whether the claim is true.";

/// Answers calls until the client closes standard input, which also ends a call in progress.
///
/// # Errors
/// If the client leaves before initialization, or the runtime fails.
pub(crate) fn serve(scorer: Scorer) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let server = Server {
        scorer: Arc::new(scorer),
        free: Arc::new(Semaphore::new(CALLS_TOGETHER)),
        is_over: Arc::clone(&is_over),
    };
    let end = runtime.block_on(async {
        let lines = Lines::start();
        loop {
            match server.clone().serve(lines.clone()).await {
                Ok(session) => return session.waiting().await.map(|_| ()).map_err(io::Error::other),
                // A client that does not follow the protocol's initialization may start over.
                Err(
                    ServerInitializeError::ExpectedInitializeRequest(_)
                    | ServerInitializeError::InitializeFailed(_),
                ) => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    });
    is_over.store(true, Ordering::Relaxed);
    // A call that nobody waits for ends after its current batch.
    runtime.shutdown_background();
    end
}

/// The server for one client.
#[derive(Clone)]
struct Server {
    scorer: Arc<Scorer>,
    free: Arc<Semaphore>,
    /// Whether the client has left.
    is_over: Arc<AtomicBool>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("veridic", env!("CARGO_PKG_VERSION")).with_title("Veridic");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(call) = Call::read(&request.name, request.arguments.unwrap_or_default()) else {
            let known = tools::NAMES.join(", ");
            let message = format!("no tool has the name {}: known are {known}", request.name);
            return Err(ErrorData::new(ErrorCode::INVALID_PARAMS, message, None));
        };
        let call = match call {
            Ok(call) => call,
            Err(message) => return Ok(refused(message).into()),
        };
        match self.compute(call, context).await {
            Some(answer) => Ok(answer.map_or_else(refused, |json| answered(&json)).into()),
            None => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

impl Server {
    /// Computes the answer of a call, or the reason for a failure; `None` if the call was cancelled.
    async fn compute(
        &self,
        call: Call,
        context: RequestContext<RoleServer>,
    ) -> Option<Result<String, String>> {
        let cancelled = context.ct;
        let permit = tokio::select! {
            permit = Arc::clone(&self.free).acquire_owned() => permit.ok()?,
            () = cancelled.cancelled() => return None,
        };
        let (scorer, is_over, token) =
            (Arc::clone(&self.scorer), Arc::clone(&self.is_over), cancelled.clone());
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            call.answer(&scorer, &|| is_over.load(Ordering::Relaxed) || token.is_cancelled())
        });
        // The panic hook has already printed the panic.
        let failed = |_| Err("the judgement failed; the server's standard error has details".to_owned());
        let answer = work.await.unwrap_or_else(failed);
        (!cancelled.is_cancelled()).then_some(answer)
    }
}

/// Builds a call's result: JSON as structured content and, for clients that read only text, as text.
fn answered(json: &str) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(json)]);
    result.structured_content = serde_json::from_str(json).ok();
    result
}

/// Builds the result of a failed call, with the reason for the language model.
fn refused(message: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}
